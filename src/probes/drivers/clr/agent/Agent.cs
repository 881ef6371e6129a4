using System;
using System.Diagnostics;
using System.Threading;
using Substrate.Channels;
using Substrate.Health;

namespace Substrate
{
    // The life of the agent. Its thread waits for the daemon and ends the agent: after a `dispose`, when another agent
    // replaces it, when no daemon has come for too long, or when the program ends. Then nothing is left of it but its
    // assembly.
    sealed class Agent
    {
        // A running agent stores an Action under this name that ends it: a later agent may be of another assembly.
        const string Name = "substrate.agent";
        const int MaxCalls = 16;
        const int EndMs = 5000;
        const int MoveInMs = 100;
        static readonly object Starting = new object();
        readonly ManualResetEvent ended = new ManualResetEvent(false);
        readonly HeldFolder folder;
        // True for an agent that came with the program: it waits for daemons without a limit.
        readonly bool isCompanion;
        WakeupFifo wakeup;
        Channel channel;
        Connection connection;
        Stopwatch freeSince = Stopwatch.StartNew();
        int calls;
        bool wasServing;
        volatile bool isEnding;
        // False if the files in the folder belong to the agent that replaces this one.
        volatile bool removesFiles;

        Agent(HeldFolder folder, bool isCompanion)
        {
            this.folder = folder;
            this.isCompanion = isCompanion;
        }

        // Runs on this thread. True if a daemon has ended the agent, and no other replaces it.
        internal static bool RunIn(HeldFolder folder)
        {
            var agent = new Agent(folder, true);
            agent.Live();
            return agent.wasServing && agent.removesFiles && !Environment.HasShutdownStarted;
        }

        // Returns at once. The reason of a failed start is in a file of the folder, which the agent owns from now on.
        internal static void Start(HeldFolder folder)
        {
            try
            {
                Threads.Start("substrate-agent", Threads.Small, new Agent(folder, false).Live);
            }
            catch (Exception full)
            {
                folder.WriteReason(full);
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
                if (!isCompanion || Publish()) Serve();
            }
            catch (Exception failed)
            {
                removesFiles = isCompanion;
                folder.WriteReason(failed);
            }
            finally
            {
                AppDomain.CurrentDomain.ProcessExit -= atExit;
                Leave(replace);
            }
        }

        // Called last: a daemon that finds the folder must find an agent. False if the agent is not wanted.
        bool Publish()
        {
            removesFiles = true;
            while (!folder.Publish())
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
                if (!HandleWakeup()) wakeup.AwaitAnother();
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

        // False if no daemon is there.
        bool HandleWakeup()
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
            channel.WakeSenders();
            try
            {
                for (byte[] message = channel.Receive(); message != null && !isEnding; message = channel.Receive())
                    connection.Take(message);
            }
            catch (Exception discarded)
            {
                // A malformed message, or no memory: the other side sees that the connection ends.
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

        // Limits the calls into the program that have not returned yet, over all connections.
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

        // Runs on the agent's own thread.
        internal void Dispose()
        {
            removesFiles = true;
            isEnding = true;
        }

        // Called by the agent that replaces this one.
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
