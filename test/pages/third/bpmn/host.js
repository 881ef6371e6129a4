// A host page as the package's documentation shows it.
(() => {
  const modeler = new BpmnJS({ container: '#canvas' });
  modeler.createDiagram();
})();
