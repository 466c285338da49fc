/** `npm run bench [NAME…]`: every benchmark, or the named ones. Needs the executable: `npm run build` first. */
import { existsSync } from 'node:fs'
import { binary, printRows, type Measurement } from './measure.ts'

const benchmarks: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  startup: async () => (await import('./startup.ts')).startup(),
  serve: async () => (await import('./serve.ts')).serve(),
  render: async () => (await import('./render.ts')).render(),
  import: async () => (await import('./import.ts')).importLarge(),
  lint: async () => (await import('./lint.ts')).lints(),
  responsive: async () => (await import('./responsive.ts')).responsive(),
  lsp: async () => (await import('./lsp.ts')).editing(),
  relint: async () => (await import('./relint.ts')).relint(),
  diff: async () => (await import('./diff.ts')).diffs(),
  queue: async () => (await import('./queue.ts')).queue(),
  mcp: async () => (await import('./mcp.ts')).mcp(),
  contracts: async () => (await import('./contracts.ts')).contracts(),
  catalogue: async () => (await import('./catalogue.ts')).catalogue(),
  growth: async () => (await import('./growth.ts')).growth(),
  'mcp-servers': async () => (await import('./mcp-servers.ts')).mcpServers(),
  webhooks: async () => (await import('./webhooks.ts')).webhooks(),
  reviews: async () => (await import('./reviews.ts')).reviews(),
  types: async () => (await import('./types.ts')).types(),
  run: async () => (await import('./run.ts')).workflowRuns(),
  repositories: async () => (await import('./repositories.ts')).repositoriesAtScale(),
  'gateway-events': async () => (await import('./gateway-events.ts')).gatewayEvents(),
  overlays: async () => (await import('./overlays.ts')).overlays(),
  gateway: async () => (await import('./gateway.ts')).gatewayRules(),
  hostile: async () => (await import('./hostile.ts')).hostile(),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(2)
}
if (!existsSync(binary)) {
  console.error('The executable is missing: npm run build')
  process.exit(2)
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n== ${name}`)
  printRows(await run())
}
