import Service from '@ember/service';
import { tracked } from '@glimmer/tracking';

class Plant {
  @tracked watered = false;

  constructor(
    readonly name: string,
    readonly litres: number,
  ) {}
}

export class GardenService extends Service {
  @tracked plants = [new Plant('Tomato', 2), new Plant('Basil', 0.5)];
  @tracked season = 'summer';
  readonly owner = { name: 'Barbara McClintock', accessKey: 'ember_live_99aabbccddeeff00' };

  get thirsty(): number {
    return this.plants.filter((plant) => !plant.watered).length;
  }

  add(name: string): void {
    this.plants = [...this.plants, new Plant(name, 1)];
  }
}
