package substrate.agent;

import java.io.File;

/**
 * The arguments with which the daemon loaded the agent: `folder=/tmp/…;channel=unix|fifo;build=<hash>[;lease=<ms>]`.
 */
final class Settings {
    final File folder;
    final boolean usesFifos;
    final String build;
    final long leaseMs;

    Settings(String args) {
        File folder = null;
        String channel = "";
        String build = "";
        long leaseMs = Protocol.LEASE_MS;
        for (String arg : args.split(";")) {
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            String value = arg.substring(equals + 1);
            if (name.equals("folder")) folder = new File(value);
            else if (name.equals("channel")) channel = value;
            else if (name.equals("build")) build = value;
            else if (name.equals("lease")) leaseMs = Long.parseLong(value);
        }
        if (folder == null || !folder.isDirectory()) throw new IllegalArgumentException("no folder: " + folder);
        this.folder = folder;
        this.usesFifos = channel.equals("fifo");
        this.build = build;
        this.leaseMs = leaseMs;
    }
}
