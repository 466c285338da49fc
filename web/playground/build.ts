/** Makes the playground as one HTML file that loads nothing: the engines, the page and its style are in it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shownTexts } from './texts.ts'

/** Puts a file in the place of another. */
const inPlaceOf = (pattern: RegExp, path: string): Bun.BunPlugin => ({
  name: `in place of ${pattern.source}`,
  setup(build) {
    build.onLoad({ filter: pattern }, async () => ({ contents: await readFile(path, 'utf8'), loader: 'ts' }))
  },
})

const hash = (text: string): string => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`

/** The policy of the page: nothing is loaded and nothing is sent. The engines have a hash function in WebAssembly. */
const policyOf = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hash(script)} 'wasm-unsafe-eval' blob:`,
    `style-src ${hash(style)}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

async function bundle(entry: string, format: 'esm' | 'iife', plugins: Bun.BunPlugin[]): Promise<string> {
  const result = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    format,
    minify: true,
    splitting: false,
    plugins,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [output] = result.outputs
  if (output === undefined) throw new Error(`The bundler gave nothing for ${entry}.`)
  return output.text()
}

// Within a script element these two begin a comment or end the element, also in a string.
const inScript = (code: string): string =>
  code.replace(/<\/(script)/gi, String.raw`<\/$1`).replaceAll('<!--', String.raw`<\!--`)

/** Where `svc export` puts a document. */
export const inputMark = '<script type="application/json" id="input"></script>'

/** The page, and its policy for the header of an answer. */
export interface Playground {
  readonly html: string
  readonly policy: string
}

/**
 * Builds the page.
 * @param root the folder of the project
 */
export async function buildPlayground(root: string): Promise<Playground> {
  const at = (path: string): string => join(root, path)
  const browser = inPlaceOf(/[\\/]src[\\/]host[\\/]engine\.ts$/, at('src/host/browser-engine.ts'))
  const [page, engines, style, icon] = await Promise.all([
    bundle(at('web/playground/main.ts'), 'esm', [shownTexts]),
    bundle(at('web/playground/worker.ts'), 'iife', [shownTexts, browser]),
    readFile(at('web/playground/style.css'), 'utf8'),
    readFile(at('web/icon.svg'), 'utf8'),
  ])
  const script = inScript(page)
  const policy = policyOf(script, style)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="description" content="Lint, compare and convert API descriptions in this page. Nothing is sent.">
<title>svc playground</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${style}</style>
</head>
<body>
<noscript><p>The playground needs JavaScript: it checks documents in this page, and sends nothing.</p></noscript>
${inputMark}
<script type="text/plain" id="engines">${inScript(engines)}</script>
<script type="module">${script}</script>
</body>
</html>
`
  // What a page says of itself cannot forbid frames.
  return { html, policy: `${policy}; frame-ancestors 'none'` }
}
