import { Component, inject } from '@angular/core';
import { FormsModule } from '@angular/forms';
import { ParcelService } from './parcel.service';

@Component({
  selector: 'parcel-form',
  imports: [FormsModule],
  template: `
    <form aria-label="New parcel" (ngSubmit)="submit()">
      <label>Number <input name="number" [(ngModel)]="draft.id" required /></label>
      <label>Weight <input name="weight" type="number" [(ngModel)]="draft.weight" /></label>
      <button type="submit">Add parcel</button>
    </form>
  `,
})
export class ParcelFormComponent {
  private readonly service = inject(ParcelService);
  draft = { id: '', weight: 1 };

  submit(): void {
    this.service.add(this.draft.id, this.draft.weight);
    this.draft = { id: '', weight: 1 };
  }
}
