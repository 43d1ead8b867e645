"""A production setup of django-oauth-toolkit as documented, limited to the parts that issue tokens."""
import os

DEBUG = False
SECRET_KEY = os.environ["BENCH_SECRET_KEY"]
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "urls"
USE_TZ = True
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"]
# Only the middleware that sets Content-Length. All others are for pages.
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": os.environ["BENCH_SOCKETS"],
        "USER": "bench",
        "NAME": "postgres",
        "CONN_MAX_AGE": None,  # persistent connections, one per thread
    }
}
# The installed version determines how client secrets are stored: hashed since 2.0, in plain text before.
OAUTH2_PROVIDER = {
    "SCOPES": {"read": "Read", "write": "Write"},
    "ACCESS_TOKEN_EXPIRE_SECONDS": 36_000,
    "PKCE_REQUIRED": False,  # as for the other peers
}
