"""Database commands of the benchmark: `set-up`, `codes N` or `tokens`. Prints JSON."""
import json
import os
import secrets
import sys
from datetime import timedelta

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402: models need the settings
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken  # noqa: E402

REDIRECT_URI = os.environ["BENCH_REDIRECT_URI"]
CODE_LIFETIME = timedelta(hours=1)


def set_up():
    """Creates the tables, and a client for each of two grant types, because a client can have only one."""
    call_command("migrate", verbosity=0)
    owner = User.objects.create(username="bench")
    for grant_type in ("client-credentials", "authorization-code"):
        Application.objects.create(
            client_id=f"bench-{grant_type}", client_secret=os.environ["BENCH_CLIENT_SECRET"], client_type="confidential",
            authorization_grant_type=grant_type, redirect_uris=REDIRECT_URI, user=owner, name=grant_type,
        )


def codes(count):
    """Creates this many unredeemed codes."""
    application = Application.objects.get(authorization_grant_type="authorization-code")
    expires = timezone.now() + CODE_LIFETIME
    grants = [
        Grant(application=application, user=application.user, code=secrets.token_urlsafe(22), expires=expires, redirect_uri=REDIRECT_URI, scope="read write")
        for _ in range(int(count))
    ]
    Grant.objects.bulk_create(grants, batch_size=1000)
    return [grant.code for grant in grants]


def tokens():
    """Counts all access tokens ever issued: a refresh deletes the previous one, but keeps its revoked refresh token."""
    return RefreshToken.objects.count() + AccessToken.objects.filter(refresh_token=None).count()


command, *arguments = sys.argv[1:]
print(json.dumps({"set-up": set_up, "codes": codes, "tokens": tokens}[command](*arguments)))
