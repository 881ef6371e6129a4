namespace Substrate
{
    // The messages between the daemon and the agent inside a .NET or Mono program, version 1. The same list is in
    // ../protocol.ts; how a message travels is said in channel/Channel.cs and ../channel.ts.
    //
    // A message is UTF-8 JSON of at most 128 MiB. Requests are {id, op, …}, answers {id, result} or {id, error: text}, in any
    // order: an invoke may be on its way while captures go on.
    //
    //   hello    {protocol, maxKeys, budget, forms}      -> {protocol, build, framework, entry}; the first request of a connection
    //   rules    WalkRules                               -> {}: see src/probes/insight/walk-rules.ts; the second request
    //   capture  {full, deep, reservedKeys}              -> {leaves, roots, screen, rawCount, coverage,
    //                                                       stoppedBy, costMs, hasMethodNews}; reservedKeys: how many keys the
    //                                                       daemon needs for the windows; screen: the windows as
    //                                                       src/probes/insight/screen/screen-facts.ts describes them, roots:
    //                                                       as roots/root-facts.ts does; null: nothing has changed. A path
    //                                                       begins with the id of its root; the place of an object that is
    //                                                       shown elsewhere has [its path], of a secret [null, its type]
    //   methods  {sequence, sayable, types, enough, wantsStamp, methods, bodies, members, contracts} -> facts, see
    //                                                       src/probes/insight/methods/method-facts.ts
    //   heapSize {}                                      -> {megabytes}: the used size of the heap
    //   heap     {library}                               -> {found}: scans the heap with this library (a path as the
    //                                                       program sees it), which is attached as its profiler by then; what
    //                                                       it finds is in the captures that follow
    //   describe {methods, paths, roots} -> {definitions, named}; see src/probes/insight/arguments/type-definition.ts
    //   invoke   {call, timeoutMs, interrupt, roots} -> {ok, message, rawReturn, context} or {refused, message};
    //                                                       roots: ids by the names in its paths
    //   use      {operation, widget, called, words, args, timeoutMs} -> as invoke: uses a control of a window
    //   dispose  {}                                      -> no answer: the agent ends, and removes its files
    //
    // The agent serves one connection at a time. When it ends without dispose the agent waits for another daemon, and ends
    // when none has come for five minutes. Its assembly stays loaded: a later attach starts it again.
    static class Protocol
    {
        internal const int Version = 1;
        internal const int LeaseMs = 5 * 60 * 1000;
        internal const int MaxMessage = 128 * 1024 * 1024;
    }
}
