#!/bin/sh
# All that a badge lets out, by curl and ipptool, one document after the other: log in, list, ask once whether prints
# are charged, and for each document fetch it, print it, wait for its end, delete it and record it. Nothing is retried.
# ROOM/printed tells by its time when the last one was out.
# From the environment: API (with /api/v1), KEY, DEVICE (an access token), CARD, PRINTER, ROOM (a folder)
set -eu
here=$(dirname "$0")

ask() {
  curl --silent --show-error --fail -H "x-api-key: $KEY" -H "authorization: Bearer $token" "$@"
}

token=$DEVICE
token=$(ask -d "authtype=1&userid=$CARD" "$API/login" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
ask "$API/documents?status=0&maxRecords=500" | grep -o '"uuid":"[^"]*"' | cut -d '"' -f 4 >"$ROOM/uuids"

pages='"userName":"alice","providerId":3,"totalPages":1,"colorPages":1,"paperSize":"A4","copies":1'
read -r uuid <"$ROOM/uuids"
ask -o /dev/null -H 'content-type: application/json' "$API/balance/check" -d "{\"uuid\":\"$uuid\",$pages}"
while read -r uuid; do
  ask -o "$ROOM/document.pdf" "$API/documents/$uuid.content?retain=true"
  ipptool -q -f "$ROOM/document.pdf" -d filetype=application/pdf "$PRINTER" "$here/print-and-wait.test"
  : >"$ROOM/printed"
  ask -o /dev/null -X DELETE "$API/documents/$uuid"
  user=$token
  token=$DEVICE
  ask -o /dev/null -d "jobtype=PRINT&title=$uuid&username=alice&providerid=3" "$API/documents/history"
  token=$user
done <"$ROOM/uuids"
