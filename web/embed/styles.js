/** A sheet of the script, as the policy of a page may permit no inline styles. */
export const styles = new CSSStyleSheet();
styles.replaceSync(`
:host {
  --accent: var(--meeting-player-accent, light-dark(#0f6b54, #7ad8b5));
  --paper: var(--meeting-player-background, light-dark(#fdfcf9, #111312));
  --ink: var(--meeting-player-text, light-dark(#1b1d1a, #eceeea));
  --soft: color-mix(in srgb, var(--ink) 72%, var(--paper));
  --tint: color-mix(in srgb, var(--accent) 12%, var(--paper));
  display: block; container-type: inline-size; overflow: hidden; overflow-wrap: anywhere;
  border-radius: var(--meeting-player-radius, 0.5rem); background: var(--paper); color: var(--ink);
  font: 1rem/1.5 var(--meeting-player-font, system-ui, sans-serif);
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; padding: 0; unicode-bidi: plaintext; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
ol { list-style: none; }
h2 { flex: 1; font-size: 1.05rem; line-height: 2rem; }
a { color: inherit; text-decoration: none; }
button { min-height: 2rem; padding: 0 0.8rem; border: 1px solid; border-radius: 1rem; background: none; color: var(--accent); font: inherit; }
video { display: block; width: 100%; aspect-ratio: 16 / 9; background: #0b0c0b; }
video.audio { aspect-ratio: 4; }
[part='message'], #trouble, #loading, #topics, .head { padding: 0.7rem 1rem; }
.message { display: grid; gap: 0.5rem; place-content: center; min-height: 12rem; text-align: center; }
:is(.message, #loading, .topic :first-child, #rows a, .noise) { color: var(--soft); }
#transcript { display: flex; flex-direction: column; max-height: 32rem; }
.head { display: flex; }
#rows { min-height: 0; overflow-y: auto; scrollbar-width: thin; }
#rows ol { content-visibility: auto; contain-intrinsic-size: auto 1200px; }
#rows li, .topic { display: grid; grid-template-columns: 4rem 1fr; padding: 0.3rem 1rem; }
.topic { margin-inline: -1rem; }
#rows :is(b, p) { grid-column: 2; }
#rows p { cursor: pointer; }
#rows b { margin-top: 0.6rem; font-size: 0.88rem; color: color-mix(in srgb, hsl(var(--hue) 80% 45%) 45%, var(--ink)); }
#rows a { font-size: 0.82rem; font-variant-numeric: tabular-nums; }
[aria-current] { background: var(--tint); box-shadow: inset 3px 0 var(--accent); }
:is(.topic, #rows a, #rows p):hover { color: var(--accent); }
${[162, 24, 220, 335, 46, 275, 95, 195].map((hue, tone) => `.s${tone} { --hue: ${hue}; }`).join('\n')}
@container (min-width: 50rem) {
  .columns { display: grid; grid-template-columns: 3fr 2fr; }
  #transcript { grid-column: 2; grid-row: 1 / span 2; }
}
`);
