namespace Substrate.Forms
{
    /// <summary>What a control is to a person.</summary>
    enum Kind
    {
        Ignored, Group, Strip, StatusBar, InternalFrame, Menu, MenuItem, Label, Button, Link,
        // Fields: they hold a value.
        Toggle, Check, Radio, Text, Password, Combo, Slider, Spinner, Date, Progress,
        // Large ones.
        List, ListView, Grid, Tree, Tabs,
    }
}
