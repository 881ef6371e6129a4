namespace Substrate.Read
{
    // Takes the elements of a collection, each as a place from which it can be read.
    interface ITaker
    {
        // False: enough. Without a `key` it is no entry of a dictionary.
        bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int index);
    }
}
