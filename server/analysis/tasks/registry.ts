/** Everything that is done with documents of someone else, by name; read when it is first asked for. */
export const tasks = {
  look: () => import('./look.ts'),
  compare: () => import('./compare.ts'),
  impact: () => import('./impact.ts'),
  classify: () => import('./classify.ts'),
  render: () => import('./render.ts'),
  reader: () => import('./reader.ts'),
  overview: () => import('./overview.ts'),
  words: () => import('./words.ts'),
  part: () => import('./part.ts'),
  surface: () => import('./surface.ts'),
  selection: () => import('./selection.ts'),
  pact: () => import('./pact.ts'),
  losses: () => import('./losses.ts'),
  classes: () => import('./classes.ts'),
  migrations: () => import('./migrations.ts'),
  rules: () => import('./rules.ts'),
  gather: () => import('./gather.ts'),
  links: () => import('./links.ts'),
  types: () => import('./types.ts'),
  'type-refs': () => import('./type-refs.ts'),
  type: () => import('./type.ts'),
  'type-changes': () => import('./type-changes.ts'),
  'type-comparison': () => import('./type-comparison.ts'),
  'type-impact': () => import('./type-impact.ts'),
  retarget: () => import('./retarget.ts'),
  'type-suggestions': () => import('./type-suggestions.ts'),
  anchor: () => import('./anchor.ts'),
  place: () => import('./place.ts'),
  reanchor: () => import('./reanchor.ts'),
  lines: () => import('./lines.ts'),
  hunks: () => import('./hunks.ts'),
  excerpt: () => import('./excerpt.ts'),
  suggest: () => import('./suggest.ts'),
  'overlay-between': () => import('./overlay-between.ts'),
  additions: () => import('./additions.ts'),
  merge: () => import('./merge.ts'),
  'check-edited': () => import('./check-edited.ts'),
  'compare-edited': () => import('./compare-edited.ts'),
  'check-text': () => import('./check-text.ts'),
  'check-pair': () => import('./check-pair.ts'),
  contains: () => import('./contains.ts'),
  outline: () => import('./outline.ts'),
  complete: () => import('./complete.ts'),
  fix: () => import('./fix.ts'),
  'merge-edited': () => import('./merge-edited.ts'),
  'mcp-manifest': () => import('./mcp-manifest.ts'),
  'mcp-surface': () => import('./mcp-surface.ts'),
  'mcp-facts': () => import('./mcp-facts.ts'),
  'mcp-comparison': () => import('./mcp-comparison.ts'),
  'mcp-chains': () => import('./mcp-chains.ts'),
  paths: () => import('./paths.ts'),
  'review-distance': () => import('./review-distance.ts'),
  'gateway-release': () => import('./gateway-release.ts'),
  'gateway-comparison': () => import('./gateway-comparison.ts'),
  'gateway-places': () => import('./gateway-places.ts'),
} as const

export type TaskName = keyof typeof tasks

type Run<N extends TaskName> = Awaited<ReturnType<(typeof tasks)[N]>>['run']

/** What a task is given beside the documents. */
export type InputOf<N extends TaskName> = Parameters<Run<N>>[0]

/** What a task makes: plain data, or bytes. */
export type OutputOf<N extends TaskName> = Awaited<ReturnType<Run<N>>>
