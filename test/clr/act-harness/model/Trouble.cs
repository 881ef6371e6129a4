using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Example
{
    public sealed class Trouble
    {
        internal static volatile bool released;
        internal readonly object padlock = new object();
        public int entered;

        public void Fail(string why) { throw new InvalidOperationException(why); }
        public void FailOddly(string why) { throw new Odd(why); }
        public void FailTwice(string why) { throw new AggregateException(new InvalidOperationException(why)); }
        public string Nap(int ms) { Thread.Sleep(ms); return "rested"; }
        public void Spin() { entered++; while (!released) Thread.SpinWait(100); }
        public void Locked() { lock (padlock) entered++; }
        public void Release() { released = true; }
        public Bulk GetBulk() { entered++; return new Bulk(); }
        public List<string> Listed() { entered++; return new List<string> { "a" }; }
        public long Echo(long value) { return value; }
        public string Nothing(int value) { return null; }
        public IEnumerable<int> Sequence(int count) { for (int at = 0; at < count; at++) yield return at; }
        public void Wait(CancellationToken token) { token.WaitHandle.WaitOne(); }
        public async Task<string> LaterAsync(string what) { await Task.Delay(20); return what; }
        public async Task WaitAsync(string what) { await Task.Delay(20); entered++; }
        public async Task<string> LaterFailsAsync(string why)
        {
            await Task.Delay(20);
            throw new InvalidOperationException(why);
        }
        public Task<int> NeverAsync(int value) { return new TaskCompletionSource<int>().Task; }
        public Task CancelledAsync(int value)
        {
            var source = new TaskCompletionSource<int>();
            source.SetCanceled();
            return source.Task;
        }
        public async Task StopAsync(CancellationToken token) { await Task.Delay(-1, token); }
        private static readonly TaskCompletionSource<int> never = new TaskCompletionSource<int>();
        public async Task DeafAsync(CancellationToken token) { await never.Task; }
        public ValueTask<int> QuickAsync(int value) { return new ValueTask<int>(value); }
        public Promise Promised(string what) { return new Promise(what); }
        public int ThreadNumber(int ignored) { return Thread.CurrentThread.ManagedThreadId; }
        public int GetAsked(int ignored) { return Odd.asked; }
    }

    public sealed class Bulk
    {
        public readonly string small = "small";
        public readonly string large = new string('x', 99000);
        public readonly string more = new string('y', 99000);
    }

    public sealed class Odd : Exception
    {
        internal static int asked;
        public Odd(string why) : base(why) { }
        public override string Message
        {
            get
            {
                asked++;
                if (base.Message == "mute") throw new Exception("no words");
                return "odd " + base.Message;
            }
        }
    }

    /// <summary>Something else that C# can await.</summary>
    public sealed class Promise
    {
        readonly string what;
        public Promise(string what) { this.what = what; }
        public Waiter GetAwaiter() { return new Waiter(what); }

        public sealed class Waiter : INotifyCompletion
        {
            readonly string what;
            public Waiter(string what) { this.what = what; }
            public bool IsCompleted { get { return false; } }
            public void OnCompleted(Action then) { ThreadPool.QueueUserWorkItem(ignored => then()); }
            public string GetResult()
            {
                if (what == "broken") throw new InvalidOperationException("promise broken");
                return what;
            }
        }
    }
}
