/** The manual page svc(1), from the declarations of the commands. */
import type { Command, Registry } from '../../cli/declare.ts'
import { globalOptions } from '../../cli/globals.ts'
import { optionRows, usageLine } from '../../cli/help.ts'
import { exitCodes } from '../../src/errors/exit-codes.ts'

/** Characters that roff would typeset as others, or read as its own. */
const special: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Text as roff takes it: what it would read as a request, an escape or a sign of typography is escaped. */
export const roff = (text: string): string =>
  text
    .replaceAll(/[\\\-'`^~]/g, (it) => special[it] ?? it)
    .replaceAll(
      /[^\n -\u007e]/gu,
      (it) => `\\[u${(it.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replaceAll(/^\./gm, '\\&.')

const paragraph = (text: string): string => (text === '' ? '' : `.PP\n${roff(text)}\n`)
const entries = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([name, text]) => `.TP\n.B ${roff(name)}\n${roff(text)}\n`).join('')
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`

function commandSection(name: string, command: Command): string {
  const { summary, description, options, examples } = command
  const given = command.arguments.map(({ name: word, summary: text }) => [word.toUpperCase(), text] as const)
  return [
    `.SS "${roff(usageLine(name, command))}"\n`,
    roff(sentence(summary)),
    '\n',
    paragraph(description ?? ''),
    entries(given),
    entries(optionRows(options)),
    examples.length === 0
      ? ''
      : `.PP\nExamples:\n.PP\n.nf\n.RS\n${examples.map((example) => roff(example)).join('\n')}\n.RE\n.fi\n`,
  ].join('')
}

/**
 * Writes the page.
 * @param date the day of the release, as "2026-05-05"
 */
export async function manPage(registry: Registry, version: string, date: string): Promise<string> {
  const names = Object.keys(registry).toSorted((a, b) => (a < b ? -1 : 1))
  const sections: string[] = []
  for (const name of names) {
    const it = (await registry[name]?.load?.()) ?? null
    if (it !== null) sections.push(commandSection(name, it))
  }
  return [
    `.TH SVC 1 "${date}" "svc ${version}" "User Commands"\n`,
    '.SH NAME\nsvc \\- import, lint, diff, catalogue, govern and publish API specifications\n',
    '.SH SYNOPSIS\n.B svc\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n.br\n.B svc\n.I COMMAND\n.B \\-\\-help\n',
    '.SH DESCRIPTION\nsvc is one executable: a command line, a check for pipelines, a service with a web application, and an MCP server for AI agents. It reads OpenAPI, Swagger, Arazzo, JSON Schema and MCP documents.\n',
    '.SH OPTIONS OF EVERY COMMAND\n',
    entries([...optionRows(globalOptions), ['--version', 'print the version of svc']]),
    '.SH COMMANDS\n',
    ...sections,
    '.SH EXIT STATUS\n',
    entries(exitCodes.map(({ code, meaning }) => [String(code), meaning] as const)),
    '.SH FILES\n',
    entries([
      ['svc.yaml', 'the APIs of a repository and their settings'],
      ['.spectral.yaml', 'the style guide of a folder, in the format of Spectral'],
      ['svc-diff.yaml', 'the configuration of comparisons'],
      ['.svc', 'the workspace of a folder'],
    ]),
    '.SH SEE ALSO\n',
    '"svc COMMAND \\-\\-help" describes a command, "svc explain" rules, errors and exit codes; "svc serve" shows the documentation under /docs.\n',
  ].join('')
}
