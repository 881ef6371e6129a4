using System;
using System.Reflection;
using System.Reflection.Emit;
using Substrate.Read;

namespace Harness
{
    /// <summary>Is extended at run time.</summary>
    public class Extended
    {
        public int Held = 4;
    }

    /// <summary>What compilers and frameworks make, whichever made it.</summary>
    static class NameCases
    {
        static TypeBuilder Define(string name, Type parent)
        {
            AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(name), AssemblyBuilderAccess.Run);
            return assembly.DefineDynamicModule(name).DefineType(name, TypeAttributes.Public, parent);
        }

        public static void OfCompilers()
        {
            string[] expected =
            {
                "<Title>k__BackingField:Title", "<name>P:name", "<count>5__2:count", "<Total>i__Field:Total", "<>4__this:this",
                "<>1__state:", "<>2__current:", "<>7__wrap1:", "<>t__builder:", "<>u__1:", "<>3__limit:", "<>l__initialThreadId:",
                "<Main>b__0:", "<at>__0:at", "<Of>:Of", "$this:this", "$PC:", "$current:", "Name@:Name", "init@12:", "$VB$Local_x:x",
                "$VB$Me:this", "_plain:_plain", "plain:plain", "_:_", "__:__",
            };
            TypeBuilder builder = Define("Names", typeof(object));
            foreach (string pair in expected) builder.DefineField(pair.Split(':')[0], typeof(int), FieldAttributes.Private);
            Type type = builder.CreateType();
            foreach (string pair in expected)
            {
                FieldInfo field = type.GetField(pair.Split(':')[0], BindingFlags.Instance | BindingFlags.NonPublic);
                Check.Same(pair, pair.Split(':')[1], SlotNames.Of(field) ?? "");
            }
        }

        public static void OfProxies()
        {
            TypeBuilder builder = Define("Proxies", typeof(Extended));
            builder.DefineField("__interceptors", typeof(object[]), FieldAttributes.Private);
            Check.Shows(".Held=4", Activator.CreateInstance(builder.CreateType()));
            Check.Shows("", Activator.CreateInstance(Define("Serializers", typeof(object)).CreateType()));
        }

        public static class Typed
        {
            public static string Ferry = "Petrel";
        }

        // Input of Mono's C# shell: its classes, and its variables, as the compiler keeps them.
        public static void OfShells()
        {
            TypeBuilder builder = Define("eval-3", typeof(object));
            builder.DefineField("Seconds", typeof(int), FieldAttributes.Public);
            Check.Shows(".Seconds=0", Activator.CreateInstance(builder.CreateType()));
            Check.Shows("=\"Petrel\"", Tuple.Create(new Mono.CSharp.FieldSpec(), typeof(Typed).GetField("Ferry")));
            Check.Shows(".Item1=1 .Item2=2", Tuple.Create(1, 2));
        }

        public static void OfAssemblies()
        {
            foreach (string name in new[] { "System.Text.Json", "mscorlib", "Microsoft.Extensions.Hosting", "WindowsBase" })
                Check.Same(name, Owner.Framework, Ownership.OwnerOf(name));
            foreach (string name in new[] { "Newtonsoft.Json", "Serilog", "Castle.Core", "Grpc.Net.Client", "EntityFramework" })
                Check.Same(name, Owner.Library, Ownership.OwnerOf(name));
            foreach (string name in new[] { "Shop", "Contoso.Web", "Systematic", "Moq2", "KeePass" })
                Check.Same(name, Owner.App, Ownership.OwnerOf(name));
        }
    }
}

namespace Mono.CSharp
{
    sealed class FieldSpec {}
}
