#!/usr/bin/env bash
# Builds the image from the packed packages and tests server/compose.yaml. A key reports an order, the order is read,
# and a backup restores it into another database. Needs Docker with Compose, curl and jq.
set -euo pipefail
cd "$(dirname "$0")/.."
npm run pack:all
docker build --tag orderbeacon --file server/Dockerfile .packages

export POSTGRES_PASSWORD=secret
compose() { docker compose --file server/compose.yaml "$@"; }
orderbeacon() { compose exec -T orderbeacon node_modules/.bin/orderbeacon "$@"; }
trap 'compose logs; compose down --volumes' EXIT
compose up --wait

team=$(orderbeacon team create --name 'Image' --json | jq --exit-status --raw-output .id)
key=$(orderbeacon key create --team "$team" --json | jq --exit-status --raw-output .key)
curl --fail-with-body --silent --show-error http://127.0.0.1:8787/svc-api/v1/orders \
  --header "Authorization: Bearer $key" --header 'Content-Type: application/json' \
  --data '{ "teamId": "'"$team"'", "email": "ann@shop.example", "amount": 49.90, "currency": "USD", "orderId": "1001" }'
hasOrder='length == 1 and .[0].orderId == "1001"'
orderbeacon order list --team "$team" --json | jq --exit-status "$hasOrder"

orderbeacon backup /backups/try.gz
compose exec -T postgres createdb --username orderbeacon other
inOther() {
  compose exec -T --env "DATABASE_URL=postgres://orderbeacon:$POSTGRES_PASSWORD@postgres:5432/other" \
    orderbeacon node_modules/.bin/orderbeacon "$@"
}
inOther restore /backups/try.gz
inOther order list --team "$team" --json | jq --exit-status "$hasOrder"
