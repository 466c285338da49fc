/** Findings as diagnostics of the protocol. */
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic } from 'vscode-languageserver/node'
import type { Range } from '../../src/document/position.ts'
import type { Finding, Severity } from '../../src/lint/finding.ts'

/** What a diagnostic keeps of its finding, so that a fix is found again. */
export interface FindingData {
  readonly fingerprint: string
  readonly pointer: string
}

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
}

const isUnused = (code: string): boolean => /-unused-(?:component|definition)$/.test(code)

/** @param range that of the finding, as the editor counts it */
export function diagnosticOf(finding: Finding, range: Range): Diagnostic {
  const { code, severity, message, documentationUrl, fingerprint, pointer } = finding
  const data: FindingData = { fingerprint, pointer }
  return {
    range,
    severity: severities[severity],
    code,
    source: 'svc',
    message,
    data,
    ...(documentationUrl === null ? {} : { codeDescription: { href: documentationUrl } }),
    ...(isUnused(code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
  }
}
