import { computed, Injectable, signal } from '@angular/core';

export interface Parcel {
  readonly id: string;
  readonly weight: number;
  delivered: boolean;
}

@Injectable({ providedIn: 'root' })
export class ParcelService {
  /** Plain fields, as services had them before signals. */
  depot = 'Lyon';
  carrier = { name: 'Postman', apiKey: 'ng_live_0011223344556677' };

  readonly parcels = signal<Parcel[]>([
    { id: 'P-1', weight: 2.5, delivered: false },
    { id: 'P-2', weight: 11, delivered: true },
  ]);
  readonly waiting = computed(() => this.parcels().filter((parcel) => !parcel.delivered).length);

  deliver(id: string): void {
    this.parcels.update((all) => all.map((parcel) => (parcel.id === id ? { ...parcel, delivered: true } : parcel)));
  }

  add(id: string, weight: number): void {
    this.parcels.update((all) => [...all, { id, weight, delivered: false }]);
  }
}
