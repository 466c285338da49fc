/** The completion script of PowerShell; like those of the other shells it has all words, so that Tab starts no svc. */
import type { CompletionNode, CompletionOption } from './model.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "''").replaceAll(/[\t\n]/g, ' ')}'`

// Fields of a line are separated by tabs, which no field contains.
const lineOf = (fields: readonly string[]): string => fields.map((it) => quote(it).slice(1, -1)).join('\t')

const optionLine = ({ name, short, summary, takesValue, choices }: CompletionOption): string =>
  lineOf([`--${name}`, short === null ? '' : `-${short}`, takesValue ? 'value' : '', choices.join(' '), summary])

const table = (name: string, rows: readonly (readonly [place: string, lines: readonly string[]])[]): string =>
  `  $${name} = @{\n${rows.map(([place, lines]) => `    ${quote(place)} = @(${lines.map((it) => `'${it}'`).join(', ')})\n`).join('')}  }\n`

// What follows the tables: the place by the words before the cursor, then what fits there. Without a result PowerShell completes files.
const logic = String.raw`
  $place = ''
  $open = $null
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $word = $element.Extent.Text
    if ($null -ne $open) { $open = $null; continue }
    if ($word.StartsWith('-')) {
      if ($valued -ccontains $word) { $open = $word }
      continue
    }
    $next = "$place $word".Trim()
    if ($options.ContainsKey($next)) { $place = $next }
  }
  $fields = @($options[$place] | ForEach-Object { , ($_ -split [char]9) })
  $found = @(if ($null -ne $open) {
    foreach ($it in $fields) {
      if (($it[0] -ceq $open -or $it[1] -ceq $open) -and $it[3] -ne '') { foreach ($choice in $it[3] -split ' ') { , @($choice, $choice) } }
    }
  } elseif ($wordToComplete.StartsWith('-')) {
    foreach ($it in $fields) { , @($it[0], $it[4]) }
  } else {
    foreach ($it in $commands[$place]) { , ($it -split [char]9) }
    foreach ($it in $words[$place]) { , @($it, $it) }
    if ($apis -ccontains $place) {
      $at = (Get-Location).ProviderPath
      while ($at) {
        $file = @('svc.yaml', 'svc.yml' | ForEach-Object { Join-Path $at $_ } | Where-Object { Test-Path -LiteralPath $_ -PathType Leaf })[0]
        if ($file) {
          $on = $false
          $level = -1
          foreach ($line in Get-Content -LiteralPath $file) {
            if ($line -match '^apis:') { $on = $true; continue }
            if ($line -match '^[^ #]') { $on = $false }
            if ($on -and $line -match '^( +)([A-Za-z0-9][A-Za-z0-9_.@-]*):') {
              if ($level -lt 0) { $level = $Matches[1].Length }
              if ($Matches[1].Length -eq $level) { , @($Matches[2], 'API of svc.yaml') }
            }
          }
          break
        }
        if (Test-Path -LiteralPath (Join-Path $at '.git')) { break }
        $at = Split-Path -Parent $at
      }
    }
  })
  foreach ($it in $found) {
    if ($it[0].StartsWith($wordToComplete, [StringComparison]::Ordinal)) {
      [System.Management.Automation.CompletionResult]::new($it[0], $it[0], 'ParameterValue', $it[1])
    }
  }
`

/** For `svc completion powershell | Out-String | Invoke-Expression`; Windows PowerShell 5.1 and PowerShell 7. */
export const powershellScript = (nodes: readonly CompletionNode[]): string => {
  const valued = nodes.flatMap((node) =>
    node.options
      .filter((it) => it.takesValue)
      .flatMap((it) => [`--${it.name}`, ...(it.short === null ? [] : [`-${it.short}`])]),
  )
  const commands = nodes
    .filter((node) => node.commands.length > 0)
    .map((node) => [node.name, node.commands.map(lineOf)] as const)
  const words = nodes
    .filter((node) => (node.words ?? []).length > 0)
    .map((node) => [node.name, (node.words ?? []).map((it) => lineOf([it]))] as const)
  const apis = nodes.filter((node) => node.namesApis).map((node) => quote(node.name))
  return `\
# Completion of svc for PowerShell: svc completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
${table('commands', commands)}${table(
    'options',
    nodes.map((node) => [node.name, node.options.map(optionLine)] as const),
  )}${table('words', words)}\
  $valued = @(${[...new Set(valued)].sort().map(quote).join(', ')})
  $apis = @(${apis.join(', ')})
${logic.slice(1)}}
`
}
