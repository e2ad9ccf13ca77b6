# A session bus, a display and a desktop that prints its notices, for one command: everything ends with the stdin of this script.
# Usage: dbus-run-session -- bash desktop.sh FOLDER COMMAND...
folder=$1
shift
exec 3>"$folder/display"
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp >/dev/null 2>&1 &
until [ -s "$folder/display" ]; do sleep 0.05; done
DISPLAY=":$(cat "$folder/display")"
export DISPLAY
dunst -print >"$folder/notices" 2>/dev/null &
until dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
  string:org.freedesktop.Notifications | grep -q "boolean true"; do sleep 0.05; done
"$@" >"$folder/said" 2>&1 &
told=$!
cat >/dev/null
kill "$told"
wait "$told"
code=$?
kill $(jobs -p) 2>/dev/null
exit "$code"
