// The startup hook, which .NET finds by this name, outside of any namespace. Version 8 and later can load one at run
// time, and call it on the thread of all diagnostics commands; all versions call it before the program begins when
// DOTNET_STARTUP_HOOKS names it. An exception would end the program.
internal class StartupHook
{
    public static void Initialize()
    {
        Substrate.Boot.StartAsHook();
    }
}
