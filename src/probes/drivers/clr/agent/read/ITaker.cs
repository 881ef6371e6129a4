namespace Substrate.Read
{
    /// <summary>Takes the elements of a collection, each as a place from which it can be read.</summary>
    interface ITaker
    {
        /// <summary>False: enough. Without a `key` it is no entry of a dictionary.</summary>
        bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int index);
    }
}
