"""A worker outlives its broker."""

from config.celery import app
from tests.clock import processes


def test_what_waited_in_a_worker_when_the_broker_went_does_not_end_it(tmp_path):
    """It has forgotten the connection already, and closes what is left of it (`celery.worker.consumer`)."""
    path = tmp_path / "broker"
    with processes.broker_of_our_own(path) as troupe:
        connection = app.connection_for_read(processes.on_socket(path))
        queue = connection.SimpleQueue("tasks", channel=connection.default_channel)
        queue.put("a task")
        waiting = queue.get(timeout=5)
        troupe.stop()
        connection.transport.client = None
        connection.close()
        assert waiting.channel.closed
