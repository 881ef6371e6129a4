import { describe, expect, it } from 'vitest';
import { isTouchy } from '../../../../src/probes/drivers/clr/heap-attach.ts';

describe('programs whose finalizers had better run when they would', () => {
  it.each([
    '/usr/lib/mono/gac/glib-sharp/3.0.0.0__35e10195dab3c99f/glib-sharp.dll',
    '/usr/lib/mono/gac/gtk-sharp/2.12.0.0__35e10195dab3c99f/gtk-sharp.dll',
    '/opt/app/GtkSharp.dll',
    '/opt/app/GLibSharp.dll',
    '/opt/app/atk-sharp.dll',
    '/opt/app/gdk-sharp.dll',
  ])('have %s', (file) => {
    expect(isTouchy(['/usr/bin/mono-sgen', file])).toBe(true);
  });

  it.each([
    '/usr/lib/libglib-2.0.so.0',
    '/opt/glib-sharp.dll/App.dll',
    '/opt/app/SharpZipLib.dll',
    '/opt/app/NotGtkSharp.txt',
    '/opt/app/MyGtk-sharp.dll',
  ])('have not only %s', (file) => {
    expect(isTouchy(['/usr/bin/mono-sgen', file])).toBe(false);
  });
});
