using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using Substrate.Channels;
using Substrate.Health;

namespace Substrate
{
    // Serves Mono's attach socket in Mono's place. Mono's own thread waits for the next attach in a way in which the
    // garbage collector cannot stop it: the program would freeze at its next collection. The thread must not end
    // either, because Mono starts it only once: nobody could attach again. So it sleeps here for good, where it can be
    // stopped at any time, and a thread of the agent does its work: it waits at Mono's socket and runs the agents that
    // requests name.
    static class MonoListener
    {
        // Set once the socket is served here: the assembly of a later agent is called from there, and must return.
        const string Name = "substrate.mono-listener";
        // Mono's MONO_THREAD_FLAG_DONT_MANAGE.
        const int DoNotManage = 1;
        const int UnixFamily = 1;
        const int BothWays = 2;
        const int RequestMs = 5000;
        const int AgainMs = 200;

        // Runs on the thread that accepts attaches: starts the agent and never returns, unless the socket is served
        // here already. The agent comes last: once it answers, the program may end at any time without a thread in the
        // middle of something.
        internal static void Serve(Action start)
        {
            if (IsServed)
            {
                start();
                return;
            }
            try
            {
                AppDomain.CurrentDomain.SetData(Name, Name);
                TakeOver();
                start();
                Thread.Sleep(Timeout.Infinite);
            }
            finally
            {
                // The program ends before this thread was marked, or this Mono has no such marks.
                Close();
            }
        }

        // A program that ends aborts its threads and waits for them. If that happens before the mark, the thread that
        // accepts attaches returns to the socket and would wait there for ever; it ends if the socket is shut down.
        internal static void CloseUnlessServed()
        {
            if (IsServed) return;
            Close();
            AttachLines.TakeBack();
        }

        static bool IsServed { get { return AppDomain.CurrentDomain.GetData(Name) != null; } }

        static void Close()
        {
            int socket = FindSocket();
            if (socket >= 0) Libc.shutdown(socket, BothWays);
        }

        static void TakeOver()
        {
            try
            {
                // The lines go first: they would be flushed if the program ended now.
                AttachLines.TakeBack();
                int socket = FindSocket();
                if (socket >= 0) Threads.Start("substrate-mono", Threads.Small, () => AnswerAll(socket));
                LetProgramEnd();
            }
            catch (Exception discarded)
            {
                // No later attach is possible.
                Discarded.Count("MonoListener.TakeOver", discarded);
            }
        }

        static void AnswerAll(int socket)
        {
            for (bool isOpen = true; isOpen && Await(socket, Timeout.Infinite);)
            {
                try
                {
                    isOpen = Answer(socket);
                }
                catch (Exception discarded)
                {
                    // The request was malformed, or the program has no room for another thread.
                    Discarded.Count("MonoListener.AnswerAll", discarded);
                }
            }
        }

        // When the program ends Mono ends all threads and waits for them, except for marked ones. This thread would go
        // on in Mono's own code, and wait there for another attach. It must not wake up any more: in a Mono that is
        // being shut down it would crash.
        static void LetProgramEnd()
        {
            Thread.CurrentThread.IsBackground = true;
            const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;
            FieldInfo itself = typeof(Thread).GetField("internal_thread", Hidden);
            object thread = itself == null ? null : itself.GetValue(Thread.CurrentThread);
            FieldInfo flags = thread == null ? null : thread.GetType().GetField("flags", Hidden);
            if (flags == null || flags.FieldType != typeof(IntPtr)) return;
            flags.SetValue(thread, new IntPtr(((IntPtr)flags.GetValue(thread)).ToInt64() | DoNotManage));
        }

        // The socket that accepts connections; the connection of the current attach is closed already. Negative if
        // there is none.
        static int FindSocket()
        {
            int socket = -1;
            string suffix = "/.mono-" + Libc.getpid().ToString(CultureInfo.InvariantCulture);
            foreach (string number in FolderNames.Of("/proc/self/fd"))
            {
                int descriptor;
                if (!int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out descriptor)) continue;
                if (!SocketName(descriptor).EndsWith(suffix, StringComparison.Ordinal)) continue;
                if (TakesConnections(descriptor)) socket = descriptor;
                else Libc.shutdown(descriptor, BothWays);
            }
            return socket;
        }

        // Empty if it is no unix socket, or has no name.
        static string SocketName(int descriptor)
        {
            var address = new byte[128];
            int length = address.Length;
            if (Libc.getsockname(descriptor, address, ref length) != 0) return "";
            if (length < 3 || length > address.Length || address[0] != UnixFamily || address[1] != 0) return "";
            int end = 2;
            while (end < length && address[end] != 0) end++;
            return Encoding.UTF8.GetString(address, 2, end - 2);
        }

        static bool TakesConnections(int descriptor)
        {
            int answer = 0;
            int length = sizeof(int);
            const int Question = Libc.TakesConnections;
            int failed = Libc.getsockopt(descriptor, Libc.SocketLevel, Question, ref answer, ref length);
            return failed == 0 && answer != 0;
        }

        // False if nothing came in time, or the socket is closed, which Mono does when the program ends.
        static bool Await(int descriptor, int timeoutMs)
        {
            for (;;)
            {
                var polled = new[] { new Libc.Polled { Descriptor = descriptor, Wanted = Libc.PollIn } };
                int count = Libc.poll(polled, new UIntPtr(1), timeoutMs);
                if (count < 0 && Marshal.GetLastWin32Error() == Libc.Interrupted) continue;
                return count > 0 && (polled[0].Got & Libc.PollIn) != 0;
            }
        }

        // False if no more connections can come.
        static bool Answer(int socket)
        {
            int connection = Libc.accept4(socket, IntPtr.Zero, IntPtr.Zero, Libc.CloseOnExec);
            if (connection < 0)
            {
                if (Marshal.GetLastWin32Error() == Libc.NotPossible) return false;
                // The connection stays in the queue while the program has too many files open, so this waits.
                Libc.poll(null, UIntPtr.Zero, AgainMs);
                return true;
            }
            try
            {
                AttachRequest request = AttachRequest.Read(count => Read(connection, count));
                Threads.Start("substrate-attach", Threads.Usual, () => Run(request));
                return true;
            }
            finally
            {
                Libc.close(connection);
            }
        }

        static byte[] Read(int connection, int count)
        {
            var bytes = new List<byte>();
            while (bytes.Count < count)
            {
                var part = new byte[count - bytes.Count];
                if (!Await(connection, RequestMs)) throw new FormatException("the request does not come");
                long length = Libc.read(connection, part, new IntPtr(part.Length)).ToInt64();
                if (length <= 0) throw new FormatException("the request is cut short");
                for (int at = 0; at < length; at++) bytes.Add(part[at]);
            }
            return bytes.ToArray();
        }

        // Does what Mono does with such a request. This assembly is loaded already; another one may be of a later
        // build.
        static void Run(AttachRequest request)
        {
            Assembly own = typeof(MonoListener).Assembly;
            bool isOwn = Path.GetFileNameWithoutExtension(request.Agent) == own.GetName().Name;
            MethodInfo main = (isOwn ? own : Assembly.LoadFrom(request.Agent)).EntryPoint;
            bool takesArguments = main.GetParameters().Length > 0;
            main.Invoke(null, takesArguments ? new object[] { new[] { request.Arguments } } : null);
        }
    }
}
