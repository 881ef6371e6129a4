namespace Substrate.Read
{
    /// <summary>Whose code a type is.</summary>
    enum Owner
    {
        Framework,
        Agent,
        /// <summary>A known library: its objects are not shown.</summary>
        Library,
        App,
        /// <summary>Made at run time around a type of the app: read as that one.</summary>
        Proxy,
    }
}
