#!/usr/bin/env bash
# Starts a Citus cluster for tests in containers: a coordinator on port 21000 and two workers on the next two. Prints the URL
# of the coordinator. All share the host's network, so that tests, coordinator and workers name each node alike.
set -euo pipefail
image=citusdata/citus:13.2.0
for port in 21000 21001 21002; do
  docker run --detach --name "citus-$port" --network host --shm-size 256m \
    --env PGPORT="$port" --env POSTGRES_HOST_AUTH_METHOD=trust \
    "$image" -c max_connections=300 -c wal_level=logical >/dev/null
done
ask() { docker exec "citus-$1" psql --quiet --no-align --tuples-only -h 127.0.0.1 -U postgres --command "$2"; }
for port in 21000 21001 21002; do
  # The image first starts a server that creates the database. That one does not listen on an address.
  for _ in $(seq 60); do ask "$port" 'select citus_version()' >/dev/null 2>&1 && break; sleep 1; done
  ask "$port" 'select citus_version()' >/dev/null
done
ask 21000 "select citus_set_coordinator_host('127.0.0.1', 21000)" >/dev/null
for port in 21001 21002; do ask 21000 "select citus_add_node('127.0.0.1', $port)" >/dev/null; done
echo postgres://postgres@127.0.0.1:21000/postgres
