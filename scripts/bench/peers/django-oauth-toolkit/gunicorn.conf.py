"""One worker for the one core that servers have."""
bind = "127.0.0.1:0"
workers = 1
# gthread: the only worker without further packages that keeps a connection open after its answer. Idle ones wait in a poller and
# take no thread, so the load's 64 need no 64 threads: they are for the requests that wait for PostgreSQL, two to four a core by Gunicorn's
# documentation. Two, four and eight came to the same within what the machine's noise shows, 16 and 64 to no more: one interpreter lock.
worker_class = "gthread"
threads = 4


def when_ready(server):
    print(f"serving on http://127.0.0.1:{server.LISTENERS[0].sock.getsockname()[1]}", flush=True)
