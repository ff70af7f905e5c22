/**
 * What people say in English when they settle, promise, ask, object, explain or move on: one regular expression a line,
 * each of which is counted around every moment of a meeting. Taken alone, none of them decides anything.
 */
const WORDS = String.raw`(?:sounds?|seems?|looks?) (?:good|great|fine|reasonable|right|like a plan)|makes? sense|fine (?:with|for|by)|(?:i'm|we're|am|are|is|that's|it's|be) (?:also |totally |all )?(?:okay|ok|fine|good|happy|cool|great)|works for|support\w*|in favou?r|plus one|no problem|yeah,? (?:i agree|that)|for sure|definitely|absolutely|perfect
    agree[ds]?|agreement|consensus|decided?|decisions?|settled?|conclu\w+|unanimous\w*|aligned|outcome|verdict
    objections?|oppos\w+|against|complain\w*|disagree\w*|push ?back|concerns?|veto
    opinions?|preferences?|prefer|strong(?:ly)?|feel(?:ing)?s?|sentiment|thoughts
    mov(?:e|ing) on|next (?:topic|item|point|one|thing|up)|last (?:item|topic|point|thing)|anything else|go (?:on )?to the next|agenda|over to you
    propos\w+|suggest\w*|option\w*|alternativ\w+|instead|rather than|approach|idea|recommend\w*
    includ\w+|exclud\w+|add (?:it|this|that|them)?|remov\w+|drop\w*|defer\w*|postpon\w+|delay\w*|hold off|keep|merge[ds]?|merging|clos\w+|adopt\w*|accept\w*|approv\w+|reject\w*|finali[sz]\w+|confirm\w*|skip\w*|cancel\w*|select\w*|choos\w+|pick\w*|switch\w*|stick\w*|scope|optional|mandatory|default|require[ds]?
    plan(?:s|ned|ning)?|target\w*|deadline|schedul\w+|timeline|launch\w*|releas\w+|ship\w*|deploy\w*|roll ?out|ready|priorit\w+
    we(?:'ll|'re going to|'re gonna| will| are going to)
    (?:we|it|they|you) (?:should|shouldn't|need to|have to|must|could|can)
    i (?:think|guess|would say|believe)|in my (?:opinion|mind|view)|personally|i'd (?:say|prefer|rather)
    summar\w+|recap|to (?:confirm|clarify|be clear)|just to|takeaways?|in the end|so basically|essentially|conclusion|seems like|it sounds like
    for now|right now|for the time being|at this (?:point|stage)|eventually|later|the future|first|until|wait\w*|before|after
    (?:path|way|step|steps|move|moving|go|going) forward|next steps?|action items?|to-?dos?|follow[- ]?ups?
    (?:this|next|coming) (?:week|month|call|meeting|year|time)|tomorrow|today|tonight|monday|tuesday|wednesday|thursday|friday|(?:in|within) (?:a|two|three|\d+|a few|a couple of?) (?:days?|weeks?|months?)|weeks?|end of|after (?:the|this) call
    i(?:'ll| will|'m going to|'m gonna| can|'d be happy|'m happy to)|happy to|let me|on my (?:side|end|list)|i've got|take (?:that|this|it) (?:on|up)
    (?:can|could|would|will) (?:you|someone|somebody|anyone|everyone|people|we)|please|if you (?:can|could|want|have|guys|are)|would be (?:great|nice|good|helpful|awesome|useful)|would (?:love|appreciate|like)|feel free|appreciate|encourage|urge|invite|want to
    feedback|review\w*|inputs?|comment\w*|take a look|have a look|look(?:ing)? (?:at|into)|check\w*|let (?:me|us) know|reach out|ping\w*|dm|message\w*|chime in|read|get back|respond|thoughts on
    async\w*|offline|telegram|discord|slack|chat|thread|channel|e-?mails?|forum|link|github|repo\w*|post(?:ed|ing)?|share[ds]?|sharing
    prs?|pull requests?|open(?:ed|ing)?(?: up)? (?:a|an|the|up)|issues?|docs?|documents?|draft\w*|writ(?:e|ing|ten)|wrote|publish\w*|updat\w+|creat\w+|prepar\w+
    tests?|testing|implement\w*|fix\w*|bugs?|debug\w*|investigat\w+|benchmark\w*|measur\w+|numbers|data|run(?:ning)?|work(?:ing)? on|set ?up|add(?:ed|ing)?
    coordinat\w+|sync\w*|discuss\w*|talk|meet(?:ing)?|organi[sz]\w+|call|breakout|together|connect|collaborat\w+|join\w*|bring (?:it|this|that)? ?up
    was|were|had|did|last (?:week|time|call|month)|already|have been|has been|we've|i've|merged|done|finished|worked
    not|never|no
    if|whether|would|could
    welcome|hello|hi|good morning|hear me|see my screen|joined?|agenda|today
    bye|see you|have a (?:good|great|nice)|take care|end (?:the|of the) call|wrap up|that's (?:it|all)|for (?:joining|coming)
    decisions? (?:is|are|today|for|here|to|that|made)|in terms of decisions?|default (?:decision|option|is)|as (?:a|the) default
    no (?:\w+ )?(?:objections?|opposition|complaints?|concerns?|opinions?|comments?)|(?:any|anyone|anybody|any one|everyone|someone)\b.{0,40}(?:objections?|oppos\w+|against|protest|complain\w*|disagree\w*|strong\w*|opinions?)|if (?:no|not|there's no|there are no)
    (?:does|do|would) (?:that|this|it|people|everyone|you|we)\b.{0,20}(?:sound|work|make sense|agree|okay|fine|reasonable)|(?:is|are) (?:that|this|everyone|everybody|people) (?:ok|okay|fine|good|happy)\b
    let's (?:go with|do (?:that|it|this)|keep|stick|have|take (?:these|it|this)|leave|not|aim|merge|include|make|target|plan)
    (?:go|move|moving|going|proceed\w*) (?:ahead|forward)|proceed|go with|good to go|ship it|going in(?:to)?
    (?:we'll|we will|gonna|going to|will|would) (?:then |just |also |probably |not |be )*(?:go|keep|include|includ\w+|merge\w*|remov\w+|move|have|make|close|skip|use|stick|target|defer\w*|aim|add|start|launch|ship)
    revisit|re-?evaluate|reconsider|re-?assess|come back to|circle back|tentativ\w+|provisional\w*|for now
    should we|shall we|do we want|would we|are we|can we
    i(?:'d| would) (?:then |just |also )?(?:suggest|propose|prefer|rather|vote|be in favou?r)|my (?:suggestion|proposal|preference|takeaway)|maybe we (?:can|should|could)|we (?:should|could) (?:probably|definitely|just|maybe)
    every (?:two|other|week|month)|bi-?weekly|weekly|cadence|in (?:two|three|four) weeks|next (?:call|meeting|week)|two weeks
    (?:seems?|sounds?|looks?) (?:like (?:we|no|the|everyone|people|there)|reasonable|good|fine|okay|right)|reasonable|right (?:course|way|thing|approach)|i think we (?:can|should|could) (?:agree|just|go|keep|move|probably)|makes sense
    action items?|next steps?|to-?dos?|take ?aways?|follow[- ]?ups?|homework
    i(?:'ll|…? will|'m going to|'m gonna) (?:also |just |then |probably |definitely |try to |try and |maybe )*(?:open|make|add|check|take|try|look|reach|post|update|review|merge|ping|fix|ask|run|test|do|send|write|create|put|follow|prepare|draft|bring|set up|coordinate|work|get back|publish|talk to|schedule|investigate|confirm|push|have a)
    please (?:\w+ )?(?:review|take|have|check|reach|leave|chime|submit|open|make sure|raise|let|comment|share|add|look|test|try|read|join|provide|send|post|give|ping|update|consider|do)
    (?:it'd|it would|would) be (?:\w+ )?(?:great|good|nice|useful|helpful|awesome|amazing|interesting|cool),? (?:if|to|for)|encourage|i (?:urge|ask|need|want)|(?:love|like|appreciate|want) (?:you|people|everyone|folks|teams|clients|to get|to hear|some|more|your|any) |looking for|need (?:someone|somebody|help|more|feedback|people)
    (?:take|have|having|taking) (?:a|another) (?:\w+ )?look|look (?:into|at) (?:it|this|that)|make sure|double[- ]?check
    (?:open|create|make|push|raise|submit|merge|update|review|draft|write)\w* (?:up )?(?:a|an|the|up|that|this|your|my|another)? ?(?:prs?|issues?|pull requests?|doc\w*|specs?|proposals?)
    (?:clients?|teams?|people|everyone|everybody|someone|anyone|folks|all of you|you all|you guys|devs?|authors?)\b.{0,30}(?:should|can|could|need|please|to (?:review|test|look|check|implement|give|provide|update|comment))
    let's (?:move|start|get|see|begin|hear|continue|say|assume|go (?:to|through|over|back))|we'll (?:see|start|be able|get into|move|talk)|i'll (?:go|start|share my|hand|pass|give|keep|walk|be brief|turn|stop)|go ahead|go next|you want to|do you want|over to
    for example|one day|let's (?:say|assume)|in (?:this|that) case|what if|how (?:about|do)|the (?:problem|reason|idea|question|point) (?:is|here)|it will|this (?:will|would|means)|so that
    (?:we|they|i)(?:'re| are|'ve been| have been|'m| am) (?:still |currently |also |now )?(?:work\w*|see\w*|implement\w*|fix\w*|test\w*|look\w*|planning|trying|running)|still need|hopefully
    thank(?:s| you)|appreciate it|awesome|great|cool|nice|okay|alright`;

export const MOMENT_CUES: readonly RegExp[] = WORDS.replaceAll("'", "['’]")
  .split(/\n */)
  .map((words) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu'));
