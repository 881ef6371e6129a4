// What .NET calls of a startup hook: by this name, outside of any namespace. Version 8 and later can be told of one
// while they run, and call it on the thread that takes all orders of diagnostics; all do so before the program begins
// when DOTNET_STARTUP_HOOKS names it. An exception would end the program.
internal class StartupHook
{
    public static void Initialize()
    {
        Substrate.Boot.StartAsHook();
    }
}
