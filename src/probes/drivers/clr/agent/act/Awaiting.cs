using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Act
{
    // Results that are still to come: tasks, and whatever else C# can await.
    sealed class Awaiting
    {
        const BindingFlags OfInstance = BindingFlags.Public | BindingFlags.Instance;
        const string ValueTask = "System.Threading.Tasks.ValueTask";

        // False: the time was over before.
        internal readonly bool IsDone;
        internal readonly object Value;

        Awaiting(bool isDone, object value)
        {
            IsDone = isDone;
            Value = value;
        }

        // What an awaitable of this type brings, `void` where it brings nothing; null: it is none.
        internal static Type Brings(Type type)
        {
            if (type == typeof(Task) || type.FullName == ValueTask) return typeof(void);
            for (Type at = type; at != null; at = at.BaseType)
            {
                if (!at.IsGenericType) continue;
                Type definition = at.GetGenericTypeDefinition();
                if (definition == typeof(Task<>) || definition.FullName == ValueTask + "`1")
                    return at.GetGenericArguments()[0];
            }
            if (typeof(Task).IsAssignableFrom(type)) return typeof(void);
            MethodInfo result = GetResult(type);
            return result == null ? null : result.ReturnType;
        }

        // Of what a method brought, what comes of it in time; throws what it failed with. Null: it is none.
        internal static Awaiting Settle(object value, int timeoutMs)
        {
            if (value == null) return null;
            Type type = value.GetType();
            if (type.FullName != null && type.FullName.StartsWith(ValueTask, StringComparison.Ordinal)
                && Frameworks.Is(type))
                value = type.GetMethod("AsTask").Invoke(value, null);
            var task = value as Task;
            if (task != null) return OfTask(task, timeoutMs);
            MethodInfo result = GetResult(type);
            return result == null ? null : OfAwaiter(value, result, timeoutMs);
        }

        static Awaiting OfTask(Task task, int timeoutMs)
        {
            if (!((IAsyncResult)task).AsyncWaitHandle.WaitOne(timeoutMs)) return new Awaiting(false, null);
            if (task.IsFaulted) throw task.Exception;
            if (task.IsCanceled) throw new TaskCanceledException(task);
            for (Type at = task.GetType(); at != null; at = at.BaseType)
            {
                if (!at.IsGenericType || at.GetGenericTypeDefinition() != typeof(Task<>)) continue;
                // A task that brings nothing brings this, inside.
                if (at.GetGenericArguments()[0].Name == "VoidTaskResult") break;
                return new Awaiting(true, at.GetProperty("Result").GetValue(task, null));
            }
            return new Awaiting(true, null);
        }

        static Awaiting OfAwaiter(object value, MethodInfo result, int timeoutMs)
        {
            MethodInfo get = value.GetType().GetMethod("GetAwaiter", OfInstance, null, Type.EmptyTypes, null);
            object awaiter = get.Invoke(value, null);
            var done = new ManualResetEvent(false);
            bool isDone = true.Equals(awaiter.GetType().GetProperty("IsCompleted").GetValue(awaiter, null));
            if (!isDone)
            {
                ((INotifyCompletion)awaiter).OnCompleted(() => done.Set());
                if (!done.WaitOne(timeoutMs)) return new Awaiting(false, null);
            }
            return new Awaiting(true, result.Invoke(awaiter, null));
        }

        // Of the awaiter of a type that can be awaited; null: it cannot.
        static MethodInfo GetResult(Type type)
        {
            try
            {
                if (Frameworks.Is(type) || type.IsInterface) return null;
                MethodInfo get = type.GetMethod("GetAwaiter", OfInstance, null, Type.EmptyTypes, null);
                if (get == null || !typeof(INotifyCompletion).IsAssignableFrom(get.ReturnType)) return null;
                if (get.ReturnType.GetProperty("IsCompleted") == null) return null;
                return get.ReturnType.GetMethod("GetResult", OfInstance, null, Type.EmptyTypes, null);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Awaiting.GetResult", discarded);
                return null;
            }
        }
    }
}
