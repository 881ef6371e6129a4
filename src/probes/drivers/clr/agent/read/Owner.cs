namespace Substrate.Read
{
    // The owner of a type's code.
    enum Owner
    {
        Framework,
        Agent,
        // A known library: its objects are not shown.
        Library,
        App,
        // Made at run time around a type of the app: read as that one.
        Proxy,
    }
}
