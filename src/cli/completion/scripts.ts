/**
 * Completion scripts that call `substrate __complete` at every press of the tab key. So the commands are described
 * once, and an installed script stays correct.
 */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const BASH = `# substrate completion for bash. In ~/.bashrc: source <(substrate completion bash)
_substrate() {
  local line value current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      compopt -o default 2>/dev/null
      continue
    fi
    value="\${line%%$'\\t'*}"
    [[ $value == "$current"* ]] || continue
    [[ $value == *= ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("$(printf '%q' "$value")")
  done < <("\${COMP_WORDS[0]}" __complete --quoted@CONFIG@ -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _substrate substrate
`;

const ZSH = `#compdef substrate
# substrate completion for zsh. In ~/.zshrc, after compinit: source <(substrate completion zsh)
_substrate() {
  local -a values shown names typed
  local line value
  local -i files=0
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      files=1
      continue
    fi
    value="\${line%%$'\\t'*}"
    if [[ $value == *= ]]; then
      names+=("$value")
      typed+=("$value  \${line#*$'\\t'}")
      continue
    fi
    values+=("$value")
    shown+=("$value  \${line#*$'\\t'}")
  done < <("\${words[1]}" __complete@CONFIG@ -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#values )) && compadd -l -d shown -a values
  (( $#names )) && compadd -S '' -l -d typed -a names
  (( files )) && _files
  return 0
}
if [[ "\${funcstack[1]}" == _substrate ]]; then
  _substrate "$@"
else
  compdef _substrate substrate
fi
`;

const FISH = `# substrate completion for fish: substrate completion fish > ~/.config/fish/completions/substrate.fish
function __substrate_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] __complete@CONFIG@ -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ':files'
            __fish_complete_path "$current"
        else
            printf '%s\\n' "$line"
        end
    end
end
complete -c substrate -f -a '(__substrate_complete)'
`;

const SCRIPTS: Record<Shell, string> = { bash: BASH, zsh: ZSH, fish: FISH };

/** `configFile`: absolute; null for the default one, unless the completed line names one. */
export function completionScript(shell: Shell, configFile: string | null): string {
  return SCRIPTS[shell].replace('@CONFIG@', () => (configFile === null ? '' : ` --config ${quoted(configFile)}`));
}

/** The same for all three shells: no character inside the quotes has a meaning. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, (character) => `'\\${character}'`)}'`;
}
