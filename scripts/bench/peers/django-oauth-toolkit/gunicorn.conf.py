"""One worker, because servers are pinned to one core."""
bind = "127.0.0.1:0"
workers = 1
# gthread is the only worker type without further packages that supports keep-alive. Idle connections occupy no thread,
# so 64 connections do not need 64 threads. Gunicorn recommends two to four threads per core; 2, 4 and 8 performed the
# same within noise, and 16 and 64 no better, because of the interpreter lock.
worker_class = "gthread"
threads = 4


def when_ready(server):
    print(f"serving on http://127.0.0.1:{server.LISTENERS[0].sock.getsockname()[1]}", flush=True)
