import { command } from '../cli/declare.ts'

export default command({
  summary: 'Serve editors with findings, fixes, navigation and renaming (Language Server Protocol)',
  description:
    'An editor starts this program and speaks the Language Server Protocol 3.17 with it over standard input and output. API descriptions, JSON Schemas, MCP documents and rulesets in YAML and JSON are checked while they are edited, with the style guide that "svc lint" would use in their folder. Other YAML and JSON files are left alone. docs/guides/editors.md says how to set up VS Code, Neovim, Zed, Helix and JetBrains.',
  examples: ['svc lsp', 'svc lsp --guide .spectral.yaml'],
  arguments: [],
  options: {
    guide: {
      type: 'string',
      placeholder: 'NAME|FILE|URL|ID',
      summary:
        'style guide for every document (default: the ruleset of its folder or of one above, else svc:recommended)',
    },
    'allow-functions': {
      type: 'boolean',
      summary: 'run JavaScript functions and rulesets with your permissions; without it their rules are skipped',
    },
    // Editors that know several transports name the one that they chose.
    stdio: { type: 'boolean', hidden: true, summary: 'standard input and output, which is the only transport' },
    clientProcessId: { type: 'string', placeholder: 'ID', hidden: true, summary: 'the process of the editor' },
    engine: { type: 'boolean', hidden: true, summary: 'the process that reads and checks documents for the server' },
  },
  graceful: true,
  async run(invocation) {
    if (invocation.options.engine) {
      const { runEngine } = await import('../cli/lsp/engine-process.ts')
      await runEngine(invocation)
    } else {
      const { serveEditor } = await import('../cli/lsp/server.ts')
      await serveEditor(invocation)
    }
  },
})
