import { DecimalPipe } from '@angular/common';
import { Component, inject, signal } from '@angular/core';
import { FormsModule } from '@angular/forms';
import { ParcelService } from './parcel.service';
import { ParcelFormComponent } from './parcel-form.component';

@Component({
  selector: 'app-root',
  imports: [DecimalPipe, FormsModule, ParcelFormComponent],
  template: `
    <h1>Parcels</h1>
    <label>Depot <input name="depot" [(ngModel)]="service.depot" /></label>
    <p>Depot: <output id="depot">{{ service.depot }}</output></p>
    <p>Waiting: <output id="waiting">{{ service.waiting() }}</output></p>
    <ul id="parcels">
      @for (parcel of service.parcels(); track parcel.id) {
        <li>
          {{ parcel.id }}, {{ parcel.weight | number: '1.1-1' }} kg
          <button [disabled]="parcel.delivered" [attr.aria-label]="'Deliver ' + parcel.id" (click)="deliver(parcel.id)">
            Deliver
          </button>
        </li>
      }
    </ul>
    <p>Last action: <output id="last">{{ lastAction() }}</output></p>
    <parcel-form />
  `,
})
export class AppComponent {
  readonly service = inject(ParcelService);
  readonly lastAction = signal('none');
  clicks = 0;

  deliver(id: string): void {
    this.clicks += 1;
    this.service.deliver(id);
    this.lastAction.set(`delivered ${id}`);
  }
}
