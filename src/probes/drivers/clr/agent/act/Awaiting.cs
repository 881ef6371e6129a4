using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Act
{
    // Results that are still pending: tasks, and everything else that C# can await.
    sealed class Awaiting
    {
        const BindingFlags OfInstance = BindingFlags.Public | BindingFlags.Instance;
        const string ValueTask = "System.Threading.Tasks.ValueTask";

        // False if the time was over before.
        internal readonly bool IsDone;
        internal readonly object Value;

        Awaiting(bool isDone, object value)
        {
            IsDone = isDone;
            Value = value;
        }

        // The result type of an awaitable type, `void` without one; null if it cannot be awaited.
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

        // The result of a returned awaitable, if it comes in time; throws its exception. Null if the value cannot be
        // awaited.
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
                // A task without a result has this type inside.
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

        // GetResult of the awaiter of a type; null if it cannot be awaited.
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
