/* SPDX-License-Identifier: GPL-2.0 */
/* flight.h - the commands of "ringtail flight"; argv[0] is the command's own name. */
#ifndef RT_CMD_FLIGHT_H
#define RT_CMD_FLIGHT_H

int rt_flight_cmd_extract(int argc, char **argv);
int rt_flight_cmd_start(int argc, char **argv);
int rt_flight_cmd_status(int argc, char **argv);
int rt_flight_cmd_snapshot(int argc, char **argv);
int rt_flight_cmd_boot(int argc, char **argv);
int rt_flight_cmd_recover(int argc, char **argv);
int rt_flight_cmd_stop(int argc, char **argv);

/* "flight start" for a file of flights at boot, whose name is that of the flight. */
int rt_flight_start(int argc, char **argv, const char *file);

#endif
