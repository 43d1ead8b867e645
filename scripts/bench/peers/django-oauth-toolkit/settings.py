"""django-oauth-toolkit as its documentation sets it up, for production: what a token needs, and nothing besides."""
import os

DEBUG = False
SECRET_KEY = os.environ["BENCH_SECRET_KEY"]
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "urls"
USE_TZ = True
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"]
# The one that says how long an answer is. Sessions, CSRF, messages and the rest are for pages: none of them here.
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": os.environ["BENCH_SOCKETS"],
        "USER": "bench",
        "NAME": "postgres",
        "CONN_MAX_AGE": None,  # each thread keeps its connection
    }
}
# Client secrets are kept as the installed version keeps them: hashed from 2.0 on, in the clear before.
OAUTH2_PROVIDER = {
    "SCOPES": {"read": "Read", "write": "Write"},
    "ACCESS_TOKEN_EXPIRE_SECONDS": 36_000,
    "PKCE_REQUIRED": False,  # as for the other peers
}
