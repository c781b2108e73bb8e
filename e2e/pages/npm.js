import './example.js';
