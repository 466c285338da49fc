/** The Homebrew formula of a release. */
import { downloadOf, summary, type Identity } from './identity.ts'
import { archiveOf, digestIn, targetOf } from './targets.ts'

/**
 * Writes the formula.
 * @param digests SHA-256 of the archives, by their names
 * @throws Error where the digest of an archive is missing
 */
export function formula(identity: Identity, digests: ReadonlyMap<string, string>): string {
  const source = (id: string): string => {
    const archive = archiveOf(targetOf(id), identity.version)
    return `url "${downloadOf(identity, archive)}"\n      sha256 "${digestIn(digests, archive, 'The formula')}"`
  }
  return `class Svc < Formula
  desc "${summary}"
  homepage "${identity.homepage}"
  version "${identity.version}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      ${source('darwin-arm64')}
    end
    on_intel do
      ${source('darwin-x64')}
    end
  end

  on_linux do
    on_arm do
      ${source('linux-arm64')}
    end
    on_intel do
      ${source('linux-x64')}
    end
  end

  def install
    bin.install "svc"
    man1.install "svc.1"
    bash_completion.install "completions/svc.bash" => "svc"
    zsh_completion.install "completions/_svc"
    fish_completion.install "completions/svc.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/svc --version")
    (testpath/"api.yaml").write "openapi: 3.1.0\\ninfo: {title: Test, version: 1.0.0}\\npaths: {}\\n"
    assert_match "Grade", shell_output("#{bin}/svc lint api.yaml --fail-on none")
  end
end
`
}
