#include "engine/tokenizer/chat_families.h"

namespace mneme::engine {

namespace {

constexpr std::string_view kChatMl =
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

constexpr std::string_view kLlama3 =
    "{{ bos_token }}{% for m in messages %}{{ '<|start_header_id|>' + m.role + '<|end_header_id|>\\n\\n' "
    "+ m.content|trim + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}";

constexpr std::string_view kLlama2 =
    "{% set ns = namespace(system='') %}{% for m in messages %}"
    "{% if m.role == 'system' %}{% set ns.system = '<<SYS>>\\n' + m.content + '\\n<</SYS>>\\n\\n' %}"
    "{% elif m.role == 'user' %}{{ bos_token + '[INST] ' + ns.system + m.content|trim + ' [/INST]' }}"
    "{% set ns.system = '' %}"
    "{% else %}{{ ' ' + m.content|trim + ' ' + eos_token }}{% endif %}{% endfor %}";

constexpr std::string_view kMistral =
    "{{ bos_token }}{% set ns = namespace(system='') %}{% for m in messages %}"
    "{% if m.role == 'system' %}{% set ns.system = m.content + '\\n\\n' %}"
    "{% elif m.role == 'user' %}{{ '[INST] ' + ns.system + m.content + ' [/INST]' }}{% set ns.system = '' %}"
    "{% else %}{{ ' ' + m.content|trim + eos_token }}{% endif %}{% endfor %}";

constexpr std::string_view kGemma =
    "{{ bos_token }}{% set ns = namespace(system='') %}{% for m in messages %}"
    "{% if m.role == 'system' %}{% set ns.system = m.content + '\\n\\n' %}{% else %}"
    "{{ '<start_of_turn>' + ('model' if m.role == 'assistant' else m.role) + '\\n' + ns.system + m.content|trim "
    "+ '<end_of_turn>\\n' }}{% set ns.system = '' %}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}";

// Gemma 4, with the channel of thoughts closed before the answer.
constexpr std::string_view kGemma4 =
    "{{ bos_token }}{% for m in messages %}{{ '<|turn>' + ('model' if m.role == 'assistant' else m.role) + '\\n' "
    "+ m.content|trim + '<turn|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|turn>model\\n<|channel>thought\\n<channel|>' }}{% endif %}";

constexpr std::string_view kPhi3 =
    "{% for m in messages %}{{ '<|' + m.role + '|>\\n' + m.content + '<|end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}";

constexpr std::string_view kZephyr =
    "{% for m in messages %}{{ '<|' + m.role + '|>\\n' + m.content + eos_token + '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}";

// gpt-oss: the answer's channel is opened for it, so that it does not think before; its own template writes the day and
// tools as well.
constexpr std::string_view kHarmony =
    "<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\n"
    "Knowledge cutoff: 2024-06\n\nReasoning: low\n\n"
    "# Valid channels: analysis, commentary, final. Channel must be included for every message.<|end|>"
    "{% for m in messages %}{% if m.role == 'system' %}"
    "{{ '<|start|>developer<|message|># Instructions\n\n' + m.content + '<|end|>' }}"
    "{% elif m.role == 'user' %}{{ '<|start|>user<|message|>' + m.content + '<|end|>' }}"
    "{% else %}{{ '<|start|>assistant<|channel|>final<|message|>' + m.content + '<|end|>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start|>assistant<|channel|>final<|message|>' }}{% endif %}";

// Command R, Aya and their kin.
constexpr std::string_view kCohere =
    "{{ bos_token }}{% for m in messages %}{{ '<|START_OF_TURN_TOKEN|><|' + {'system': 'SYSTEM', 'user': 'USER', "
    "'assistant': 'CHATBOT'}[m.role] + '_TOKEN|>' + m.content|trim + '<|END_OF_TURN_TOKEN|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}{% endif %}";

constexpr std::string_view kGlm =
    "[gMASK]<sop>{% for m in messages %}{{ '<|' + m.role + '|>\n' + m.content }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}";

constexpr std::string_view kExaone =
    "{% for m in messages %}{{ '[|' + m.role + '|]' + m.content|trim + ('\n' if m.role == 'user' else "
    "'[|endofturn|]\n') }}{% endfor %}{% if add_generation_prompt %}{{ '[|assistant|]' }}{% endif %}";

constexpr std::string_view kGranite =
    "{% for m in messages %}{{ '<|start_of_role|>' + m.role + '<|end_of_role|>' + m.content + '<|end_of_text|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|start_of_role|>assistant<|end_of_role|>' }}{% endif %}";

// The first whose evidence is found counts: the narrower stand before the wider.
constexpr ChatFamily kFamilies[] = {
    {"harmony", "<|channel|>", kHarmony, true},
    {"chatml", "<|im_start|>", kChatMl},
    {"llama3", "<|start_header_id|>", kLlama3},
    {"gemma", "<start_of_turn>", kGemma},
    {"gemma4", "<|turn>", kGemma4},
    {"cohere", "<|START_OF_TURN_TOKEN|>", kCohere},
    {"glm", "[gMASK]", kGlm},
    {"exaone", "[|assistant|]", kExaone},
    {"granite", "<|start_of_role|>", kGranite},
    {"llama2", "<<SYS>>", kLlama2},
    {"mistral", "[INST]", kMistral},
    {"phi3", "<|end|>", kPhi3},
    {"zephyr", "<|assistant|>", kZephyr},
};

}  // namespace

const ChatFamily* find_chat_family(std::string_view template_source) {
  for (const ChatFamily& family : kFamilies) {
    if (template_source.find(family.evidence) != std::string_view::npos) return &family;
  }
  return nullptr;
}

}  // namespace mneme::engine
