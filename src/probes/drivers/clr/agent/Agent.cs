using System;
using System.Diagnostics;
using System.Threading;
using Substrate.Channels;
using Substrate.Health;

namespace Substrate
{
    // The agent's life. Its thread waits for the daemon and sees to the end: a `dispose`, another agent that takes its
    // place, no daemon for too long, or the end of the program. Then nothing is left of it but its assembly.
    sealed class Agent
    {
        // Under this name a running agent leaves an Action that ends it: a later one may be of another assembly.
        const string Name = "substrate.agent";
        const int MaxCalls = 16;
        const int EndMs = 5000;
        const int MoveInMs = 100;
        static readonly object Starting = new object();
        readonly ManualResetEvent ended = new ManualResetEvent(false);
        readonly HeldFolder folder;
        // It was not sent for, and waits for daemons however long.
        readonly bool isCompanion;
        WakeupFifo wakeup;
        Channel channel;
        Connection connection;
        Stopwatch freeSince = Stopwatch.StartNew();
        int calls;
        bool wasServing;
        volatile bool isEnding;
        // False: what lies in the folder belongs to the agent that takes this one's place.
        volatile bool removesFiles;

        Agent(HeldFolder folder, bool isCompanion)
        {
            this.folder = folder;
            this.isCompanion = isCompanion;
        }

        // On this thread. True: a daemon has sent it away, and nothing else is in its place.
        internal static bool LiveIn(HeldFolder folder)
        {
            var agent = new Agent(folder, true);
            agent.Live();
            return agent.wasServing && agent.removesFiles && !Environment.HasShutdownStarted;
        }

        // Returns at once. Why it did not start is in a file of the folder, which is the agent's from now on.
        internal static void Start(HeldFolder folder)
        {
            try
            {
                Threads.Start("substrate-agent", Threads.Small, new Agent(folder, false).Live);
            }
            catch (Exception full)
            {
                folder.Tell(full);
                folder.Dispose();
            }
        }

        void Live()
        {
            Action replace = Replace;
            EventHandler atExit = (sender, happened) => folder.Remove();
            try
            {
                lock (Starting)
                {
                    var running = AppDomain.CurrentDomain.GetData(Name) as Action;
                    if (running != null) running();
                    wakeup = new WakeupFifo(folder);
                    channel = new Channel(folder, wakeup);
                    AppDomain.CurrentDomain.SetData(Name, replace);
                }
                AppDomain.CurrentDomain.ProcessExit += atExit;
                if (!isCompanion || MoveIn()) Serve();
            }
            catch (Exception failed)
            {
                removesFiles = isCompanion;
                folder.Tell(failed);
            }
            finally
            {
                AppDomain.CurrentDomain.ProcessExit -= atExit;
                Leave(replace);
            }
        }

        // Only now: a daemon that finds the folder has to find an agent. False: it is not wanted.
        bool MoveIn()
        {
            removesFiles = true;
            while (!folder.MoveIn())
            {
                if (isEnding) return false;
                Thread.Sleep(MoveInMs);
            }
            removesFiles = false;
            wasServing = true;
            return true;
        }

        void Serve()
        {
            while (!isEnding)
            {
                if (!Look()) wakeup.AwaitAnother();
                if (isEnding) return;
                bool isStaying = connection != null || isCompanion;
                int left = isStaying ? -1 : (int)Math.Max(0, channel.LeaseMs - freeSince.ElapsedMilliseconds);
                if (left == 0)
                {
                    removesFiles = true;
                    return;
                }
                wakeup.Wait(left);
            }
        }

        // False: no daemon is there.
        bool Look()
        {
            bool isThere = wakeup.Drain();
            if (isThere && channel.IsCalled)
            {
                EndConnection(false);
                connection = new Connection(this, channel, channel.Begin());
            }
            if (connection != null) TakeRequests();
            if (!isThere) EndConnection(false);
            return isThere;
        }

        void TakeRequests()
        {
            channel.TellSenders();
            try
            {
                for (byte[] message = channel.Receive(); message != null && !isEnding; message = channel.Receive())
                    connection.Take(message);
            }
            catch (Exception discarded)
            {
                // Not one of ours, or no memory: the other side sees that the connection ends.
                Discarded.Count("Agent.TakeRequests", discarded);
                EndConnection(true);
            }
        }

        void EndConnection(bool isThere)
        {
            if (connection == null) return;
            channel.End(isThere);
            connection.End();
            connection = null;
            freeSince = Stopwatch.StartNew();
        }

        // Calls into the program that have not come back yet, of whatever connection.
        internal bool BeginCall()
        {
            if (Interlocked.Increment(ref calls) <= MaxCalls) return true;
            EndCall();
            return false;
        }

        internal void EndCall()
        {
            Interlocked.Decrement(ref calls);
        }

        // On the agent's own thread.
        internal void Dispose()
        {
            removesFiles = true;
            isEnding = true;
        }

        // For the agent that takes this one's place.
        void Replace()
        {
            isEnding = true;
            wakeup.Wake();
            ended.WaitOne(EndMs);
        }

        void Leave(Action replace)
        {
            try
            {
                if (connection != null) connection.End();
                if (removesFiles) folder.Leave();
                if (channel != null) channel.Dispose();
                if (wakeup != null) wakeup.Dispose();
                folder.Dispose();
                AppDomain domain = AppDomain.CurrentDomain;
                if (ReferenceEquals(domain.GetData(Name), replace)) domain.SetData(Name, null);
            }
            finally
            {
                ended.Set();
            }
        }
    }
}
