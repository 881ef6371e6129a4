/// <summary>
/// What .NET 8 and later call when they are told of a startup hook: by this name, outside of any namespace. They call
/// it on the thread that takes all orders of diagnostics, and an exception would end the program.
/// </summary>
internal class StartupHook
{
    public static void Initialize()
    {
        Substrate.Boot.Start(null);
    }
}
