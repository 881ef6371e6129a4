namespace Substrate.Forms
{
    /// <summary>What an action does with a control.</summary>
    enum Deed
    {
        Press, Set, Submit, Choose, Select, Tick, Open, Expand, Collapse, SetCell, Close,
    }
}
