const t0 = process.cpuUsage(); let last = 0;
const at = (n) => { const u = process.cpuUsage(); const c = (u.user+u.system)/1000; console.log(n.padEnd(60), (c-last).toFixed(0), c.toFixed(0), performance.now().toFixed(0)); last = c; };
at('node');
for (const m of process.argv.slice(2)) { await import(m.startsWith('.') ? new URL(m, 'file:///srv/h/cli/dist/src/').href : m); at(m); }
