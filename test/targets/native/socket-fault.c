/*
 * socket-fault cut|garble PID OTHER: ends, or writes noise into, the connections that process PID has to process OTHER, by
 * a copy of its descriptors; neither process takes part. Prints how many there were.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

struct end {
    struct sockaddr_storage address;
    socklen_t length;
};
struct connection {
    int copy;
    struct end here, there;
};

static int list(int pid, struct connection *found, int most) {
    char path[64];
    int count = 0, process = (int) syscall(SYS_pidfd_open, pid, 0);
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    if (folder == 0 || process < 0) return 0;
    for (struct dirent *entry = readdir(folder); entry != 0 && count < most; entry = readdir(folder)) {
        struct connection *one = &found[count];
        if (entry->d_name[0] == '.') continue;
        one->copy = (int) syscall(SYS_pidfd_getfd, process, atoi(entry->d_name), 0);
        if (one->copy < 0) continue;
        one->here.length = one->there.length = sizeof(struct sockaddr_storage);
        if (getsockname(one->copy, (struct sockaddr *) &one->here.address, &one->here.length) == 0 &&
            getpeername(one->copy, (struct sockaddr *) &one->there.address, &one->there.length) == 0)
            count++;
        else
            close(one->copy);
    }
    return count;
}

/* Sockets without a name are all alike. */
static int same(const struct end *one, const struct end *other) {
    return one->length > sizeof(sa_family_t) && one->length == other->length &&
           memcmp(&one->address, &other->address, one->length) == 0;
}

int main(int count, char **values) {
    static struct connection ours[512], theirs[512];
    char noise[4096];
    int met = 0;
    if (count != 4) return 2;
    int few = list(atoi(values[2]), ours, 512), many = list(atoi(values[3]), theirs, 512);
    for (int at = 0; at < few; at++)
        for (int other = 0; other < many; other++) {
            /* Of a unix socket only the end that listens has a name. */
            int isNamed = same(&ours[at].here, &theirs[other].there), isCalled = same(&ours[at].there, &theirs[other].here);
            int isOne = ours[at].here.address.ss_family == AF_UNIX ? isNamed || isCalled : isNamed && isCalled;
            if (!isOne) continue;
            met++;
            if (strcmp(values[1], "cut") == 0) shutdown(ours[at].copy, SHUT_RDWR);
            else if (getrandom(noise, sizeof noise, 0) > 0) send(ours[at].copy, noise, sizeof noise, MSG_DONTWAIT | MSG_NOSIGNAL);
            break;
        }
    printf("%d\n", met);
    return 0;
}
