"""The law of a program by its states: functions that can be entered again wherever they loop, and merged states."""
