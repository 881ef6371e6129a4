/*
 * Connects to a loopback address of another network namespace, and passes the bytes of that one connection on.
 *
 *   enter-network <8 or 32 hex digits: the address> <port; 0: only try to enter>
 *   enter-network <name>     keeps an abstract unix socket of this name, until the daemon closes its end
 *
 * Descriptor 3 is a stream socket to the daemon, 4 the network namespace, 5 the user namespace that owns it, unless
 * that is the daemon's. The daemon opens both, because a pid that is looked up twice may be another process. Only
 * loopback addresses are accepted. The answer on descriptor 3 is `+`, and then the bytes; or `-`, the step that failed
 * (`u`ser namespace, `n`etwork, `c`onnection, `l`ock, `a`rguments) and the kernel's error number as one byte.
 *
 * Freestanding, so that one file runs on every system with any libc. It has one thread, because a process with several
 * cannot enter a user namespace.
 */

typedef unsigned long word;
typedef unsigned char byte;

#if defined(__x86_64__)
enum { SYS_fcntl = 72, SYS_capset = 126, SYS_prctl = 157, SYS_ppoll = 271, SYS_setns = 308, SYS_exit_group = 231,
       SYS_read = 0, SYS_socket = 41, SYS_connect = 42, SYS_sendto = 44, SYS_shutdown = 48, SYS_getsockopt = 55,
       SYS_bind = 49, SYS_listen = 50 };
#elif defined(__aarch64__)
enum { SYS_fcntl = 25, SYS_capset = 91, SYS_prctl = 167, SYS_ppoll = 73, SYS_setns = 268, SYS_exit_group = 94,
       SYS_read = 63, SYS_socket = 198, SYS_connect = 203, SYS_sendto = 206, SYS_shutdown = 210, SYS_getsockopt = 209,
       SYS_bind = 200, SYS_listen = 201 };
#else
#error "no system call numbers for this CPU"
#endif

enum { DAEMON = 3, NETWORK = 4, USER = 5 };
enum { CLONE_NEWUSER = 0x10000000, CLONE_NEWNET = 0x40000000 };
enum { AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, SOCK_STREAM = 1, SOCK_NONBLOCK = 04000, SOCK_CLOEXEC = 02000000 };
enum { F_SETFL = 4, O_NONBLOCK = 04000, MSG_NOSIGNAL = 0x4000, SHUT_WR = 1, SOL_SOCKET = 1, SO_ERROR = 4 };
enum { IPPROTO_TCP = 6 };
enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16 };
enum { PR_SET_NO_NEW_PRIVS = 38 };
enum { EPERM = 1, EAGAIN = 11, EINTR = 4, EINVAL = 22, EINPROGRESS = 115, ETIMEDOUT = 110 };
enum { CONNECT_SECONDS = 3, LAST_WORDS_SECONDS = 1, BUFFER_BYTES = 65536 };

struct polled { int file; short events; short found; };
struct moment { long seconds; long nanoseconds; };
struct address { unsigned short family; byte port[2]; byte rest[24]; };
struct unix_address { unsigned short family; char path[108]; };
struct direction { int from, to; int start, end; int is_read, is_done; byte bytes[BUFFER_BYTES]; };

static long call(long number, word a, word b, word c, word d, word e, word f) {
#if defined(__x86_64__)
  long result;
  register word r10 __asm__("r10") = d;
  register word r8 __asm__("r8") = e;
  register word r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#else
  register word x0 __asm__("x0") = a;
  register word x1 __asm__("x1") = b;
  register word x2 __asm__("x2") = c;
  register word x3 __asm__("x3") = d;
  register word x4 __asm__("x4") = e;
  register word x5 __asm__("x5") = f;
  register long x8 __asm__("x8") = number;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8) : "memory");
  return (long)x0;
#endif
}

static void leave(int status) {
  for (;;) call(SYS_exit_group, (word)status, 0, 0, 0, 0, 0);
}

static void say(const byte *text, word length) {
  call(SYS_sendto, DAEMON, (word)text, length, MSG_NOSIGNAL, 0, 0);
}

static void refuse(char step, long error) {
  byte answer[3] = {'-', (byte)step, (byte)-error};
  say(answer, sizeof answer);
  leave(1);
}

static int digit(char text) {
  if (text >= '0' && text <= '9') return text - '0';
  if (text >= 'a' && text <= 'f') return text - 'a' + 10;
  return -1;
}

/* Returns the number of bytes, or -1 if the text is not an address in hex. */
static int read_address(const char *text, byte *bytes) {
  int length = 0;
  for (; text[0] != 0; text += 2) {
    int high = digit(text[0]);
    int low = high < 0 ? -1 : digit(text[1]);
    if (low < 0 || length == 16) return -1;
    bytes[length++] = (byte)(high * 16 + low);
  }
  return length;
}

static int read_port(const char *text) {
  int port = 0;
  if (*text == 0) return -1;
  for (; *text != 0; text++) {
    if (*text < '0' || *text > '9') return -1;
    port = port * 10 + *text - '0';
    if (port > 65535) return -1;
  }
  return port;
}

static int is_loopback(const byte *bytes, int length) {
  if (length == 4) return bytes[0] == 127;
  if (length != 16) return 0;
  for (int at = 0; at < 15; at++)
    if (bytes[at] != 0) return 0;
  return bytes[15] == 1;
}

/* Root may enter the network at once. The owner of its user namespace must enter that one first. */
static void enter(void) {
  long result = call(SYS_setns, NETWORK, CLONE_NEWNET, 0, 0, 0, 0);
  if (result == 0) return;
  if (result != -EPERM) refuse('n', result);
  if (call(SYS_setns, USER, CLONE_NEWUSER, 0, 0, 0, 0) < 0) refuse('u', result);
  result = call(SYS_setns, NETWORK, CLONE_NEWNET, 0, 0, 0, 0);
  if (result < 0) refuse('n', result);
}

/* Nothing after this needs a capability. */
static void drop_rights(void) {
  struct { unsigned version; int pid; } header = {0x20080522, 0};
  unsigned none[6] = {0, 0, 0, 0, 0, 0};
  long result = call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
  if (result == 0) result = call(SYS_capset, (word)&header, (word)none, 0, 0, 0, 0);
  if (result < 0) refuse('n', result);
}

static int open_connection(const byte *bytes, int length, int port) {
  struct address address = {length == 4 ? AF_INET : AF_INET6, {(byte)(port >> 8), (byte)port}, {0}};
  /* An IPv6 socket address has the flow label before the address. */
  byte *place = address.rest + (length == 4 ? 0 : 4);
  for (int at = 0; at < length; at++) place[at] = bytes[at];
  long file = call(SYS_socket, address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP, 0, 0, 0);
  if (file < 0) refuse('c', file);
  long result = call(SYS_connect, (word)file, (word)&address, length == 4 ? 16 : 28, 0, 0, 0);
  if (result == -EINPROGRESS) {
    struct polled waiting[2] = {{(int)file, POLLOUT, 0}, {DAEMON, 0, 0}};
    struct moment limit = {CONNECT_SECONDS, 0};
    if (call(SYS_ppoll, (word)waiting, 2, (word)&limit, 0, 0, 0) <= 0) refuse('c', -ETIMEDOUT);
    if (waiting[1].found != 0) leave(0);
    int error = 0;
    unsigned size = sizeof error;
    call(SYS_getsockopt, (word)file, SOL_SOCKET, SO_ERROR, (word)&error, (word)&size, 0);
    result = -error;
  }
  if (result < 0) refuse('c', result);
  return (int)file;
}

/* Reads if the buffer is empty, then writes as much as the other side takes. */
static void move(struct direction *way) {
  if (way->start == way->end && !way->is_read) {
    long count = call(SYS_read, (word)way->from, (word)way->bytes, BUFFER_BYTES, 0, 0, 0);
    if (count == -EAGAIN || count == -EINTR) return;
    if (count < 0) leave(0);
    way->start = 0;
    way->end = (int)count;
    way->is_read = count == 0;
  }
  while (way->start < way->end) {
    word left = (word)(way->end - way->start);
    long count = call(SYS_sendto, (word)way->to, (word)(way->bytes + way->start), left, MSG_NOSIGNAL, 0, 0);
    if (count == -EAGAIN || count == -EINTR) return;
    if (count < 0) leave(0);
    way->start += (int)count;
  }
  if (!way->is_read || way->is_done) return;
  call(SYS_shutdown, (word)way->to, SHUT_WR, 0, 0, 0, 0);
  way->is_done = 1;
}

static short wanted(const struct direction *in, const struct direction *out) {
  short events = 0;
  if (!in->is_read && in->start == in->end) events |= POLLIN;
  if (out->start < out->end) events |= POLLOUT;
  return events;
}

/* The daemon has closed its end: the bytes that it sent are still passed on, but an answer has no reader. */
static void finish(struct direction *way) {
  for (;;) {
    move(way);
    if (way->is_done) leave(0);
    if (way->start == way->end) continue;
    struct polled one = {way->to, POLLOUT, 0};
    struct moment limit = {LAST_WORDS_SECONDS, 0};
    if (call(SYS_ppoll, (word)&one, 1, (word)&limit, 0, 0, 0) <= 0) leave(1);
  }
}

static void relay(int connection) {
  static struct direction outwards, inwards;
  outwards.from = inwards.to = DAEMON;
  outwards.to = inwards.from = connection;
  while (!outwards.is_done || !inwards.is_done) {
    short events = wanted(&inwards, &outwards);
    /* ppoll would return at once for a connection that has ended, so one without wanted events is left out. */
    struct polled both[2] = {{DAEMON, wanted(&outwards, &inwards), 0}, {events == 0 ? -1 : connection, events, 0}};
    long count = call(SYS_ppoll, (word)both, 2, 0, 0, 0, 0);
    if (count < 0 && count != -EINTR) leave(1);
    if (both[0].found & (POLLHUP | POLLERR)) finish(&outwards);
    move(&outwards);
    move(&inwards);
  }
}

/* The name of an abstract socket is unique in its network and freed with the process. Node pads it with zeros, too. */
static void keep_name(const char *name) {
  static struct unix_address address;
  address.family = AF_UNIX;
  for (int at = 0; name[at] != 0; at++) {
    if (at + 2 > (int)sizeof address.path) refuse('a', -EINVAL);
    address.path[at + 1] = name[at];
  }
  long file = call(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, 0, 0, 0);
  if (file < 0) refuse('l', file);
  long result = call(SYS_bind, (word)file, (word)&address, sizeof address, 0, 0, 0);
  if (result == 0) result = call(SYS_listen, (word)file, 1, 0, 0, 0, 0);
  if (result < 0) refuse('l', result);
  say((const byte *)"+", 1);
  struct polled daemon = {DAEMON, 0, 0};
  while (call(SYS_ppoll, (word)&daemon, 1, 0, 0, 0, 0) == -EINTR) continue;
  leave(0);
}

__attribute__((used)) static void begin(const word *stack) {
  const char *const *arguments = (const char *const *)(stack + 1);
  byte bytes[16];
  if (stack[0] == 2) {
    enter();
    drop_rights();
    keep_name(arguments[1]);
  }
  if (stack[0] != 3) refuse('a', -EINVAL);
  int length = read_address(arguments[1], bytes);
  int port = read_port(arguments[2]);
  if (port < 0 || !is_loopback(bytes, length)) refuse('a', -EINVAL);
  enter();
  drop_rights();
  int connection = port == 0 ? -1 : open_connection(bytes, length, port);
  say((const byte *)"+", 1);
  if (port == 0) leave(0);
  call(SYS_fcntl, DAEMON, F_SETFL, O_NONBLOCK, 0, 0, 0);
  relay(connection);
  leave(0);
}

/* At the start of a program the stack pointer is at the argument count. */
#if defined(__x86_64__)
__asm__(".globl _start\n_start:\nxor %ebp, %ebp\nmov %rsp, %rdi\nand $-16, %rsp\ncall begin\n");
#else
__asm__(".globl _start\n_start:\nmov x29, #0\nmov x0, sp\nbl begin\n");
#endif
