namespace Substrate
{
    /// <summary>Starts the agent, whoever calls: see Entry.</summary>
    static class Boot
    {
        public static int Main(string[] args)
        {
            return 0;
        }
    }
}
