import Application from '@ember/application';
import EmberRouter from '@ember/routing/router';
import application from './application.hbs';
import { GardenBoard } from './garden-board';
import { GardenService } from './garden-service';

class Router extends EmberRouter {
  location = 'none';
}

const PARTS: Record<string, unknown> = {
  'router:main': Router,
  'template:application': application,
  'component:garden-board': GardenBoard,
  'service:garden': GardenService,
};

class GardenApp extends Application {
  modulePrefix = 'garden';
  rootElement = '#root';
  Resolver = { create: () => ({ resolve: (name: string) => PARTS[name] }) };
}

GardenApp.create();
