// TinyMCE: its text is in a frame. window.tinymce is its own object.
const { serve } = require('./static.cjs');

serve({
  lib: 'tinymce',
  html: `<!doctype html><meta charset="utf-8"><title>Notices</title><h1>Notice of the port</h1>
<textarea id="notice">&lt;h2&gt;Pilots&lt;/h2&gt;&lt;p&gt;Solveig takes the Skua through the narrows at seven.&lt;/p&gt;</textarea>
<script src="/lib/tinymce.min.js"></script>
<script>tinymce.init({
  selector: '#notice', license_key: 'gpl', promotion: false, height: 500,
  plugins: 'code searchreplace wordcount link lists', toolbar: 'undo redo | bold italic | bullist numlist | searchreplace code',
})</script>`,
});
