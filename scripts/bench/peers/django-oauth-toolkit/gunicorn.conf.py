"""One worker, because servers are pinned to one core."""
bind = "127.0.0.1:0"
workers = 1
# gthread is the only worker type that supports keep-alive without further packages. Idle connections do not occupy a
# thread. Gunicorn recommends two to four threads per core. More threads were not faster, because of the interpreter
# lock.
worker_class = "gthread"
threads = 4


def when_ready(server):
    print(f"serving on http://127.0.0.1:{server.LISTENERS[0].sock.getsockname()[1]}", flush=True)
