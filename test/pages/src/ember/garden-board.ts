import { setComponentTemplate } from '@ember/component';
import { action } from '@ember/object';
import { service } from '@ember/service';
import Component from '@glimmer/component';
import { tracked } from '@glimmer/tracking';
import template from './garden-board.hbs';
import type { GardenService } from './garden-service';

export class GardenBoard extends Component {
  @service declare garden: GardenService;
  @tracked waterings = 0;
  @tracked draft = '';

  @action
  water(plant: { watered: boolean }): void {
    plant.watered = true;
    this.waterings += 1;
  }

  @action
  changeDraft(event: Event): void {
    this.draft = (event.target as HTMLInputElement).value;
  }

  @action
  submit(event: Event): void {
    event.preventDefault();
    this.garden.add(this.draft);
    this.draft = '';
  }
}

setComponentTemplate(template, GardenBoard);
