/** The table of proof as a page. */

interface Counted {
  readonly constraint: string
  readonly described: number
  readonly refused: number
  readonly others: number
  readonly passed: number
}

interface Table {
  readonly engines: Readonly<Record<string, string>>
  readonly generator: readonly string[]
  readonly rows: Readonly<Record<string, readonly Counted[]>>
}

const sum = (rows: readonly Counted[], of: (row: Counted) => number): number =>
  rows.reduce((total, it) => total + of(it), 0)

/** What the check says where a document has this and nothing else: as `provenState` decides. */
const stateOf = ({ described, refused, others, passed }: Counted): string => {
  if (described + others === 0) return 'unproven'
  return refused + passed === 0 ? 'enforced' : 'approximated'
}

export function proofPage({ engines, generator, rows }: Table): string {
  const names = Object.keys(rows)
  const constraints = [...new Set(names.flatMap((it) => (rows[it] ?? []).map((row) => row.constraint)))].sort()
  const cell = (name: string, constraint: string): string => {
    const row = rows[name]?.find((it) => it.constraint === constraint)
    return row === undefined
      ? ' – | unproven '
      : ` ${row.described + row.others}, ${row.refused}, ${row.passed} | ${stateOf(row)} `
  }
  const totals = names.map((name) => {
    const list = rows[name] ?? []
    return `- ${engines[name]}: ${sum(list, (it) => it.described)} described requests, ${sum(list, (it) => it.refused)} of them refused; ${sum(list, (it) => it.others)} others, ${sum(list, (it) => it.passed)} of them passed.`
  })
  return `# What is proven of each engine

A check of the document is called \`enforced\` for an engine only if the engine was tried with everything that the document asks of the check, and no request
did what it should not. If one did, the check is \`approximated\`; if the engine was never tried with something that the document has, it is \`unproven\`.
\`svc gateway compile\`, the service and the application say so with the reason, and read this table.

\`scripts/gateway-proof.ts\` wrote it: for each constraint an operation of its own, described requests, which have to pass, and others, which have to be
refused. The values are made by ${generator.join(' and ')} and checked by the library jsonschema; neither is a part of svc. Among the others are numbers with exponents, signs and zeros before
them, spaces and line ends, names that are there twice or percent-encoded, overlong UTF-8, full-width digits, list separators, and JSON in other words. A
text that a server may also read as an allowed value is left out.

${totals.join('\n')}

Coraza as WebAssembly was never run: there everything is \`unproven\`.

| Constraint | ${names.map((it) => `${engines[it]}: cases, described and refused, others that passed | State`).join(' | ')} |
|---|${names.map(() => '---|---|').join('')}
${constraints.map((it) => `| ${it} |${names.map((name) => cell(name, it)).join('|')}|`).join('\n')}
`
}
